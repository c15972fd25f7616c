grammar T;
a : 'x' ;
options { language = Java; }
