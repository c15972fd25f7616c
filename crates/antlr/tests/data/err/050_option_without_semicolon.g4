grammar T;
options { language = Java }
a : 'x' ;
