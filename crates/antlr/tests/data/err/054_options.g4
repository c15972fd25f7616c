grammar T;
options { language = Java; }
options { superClass = B; }
a : 'x' ;
