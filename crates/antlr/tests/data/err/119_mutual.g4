grammar T;
a : b 'x' ;
b : a 'y' | 'z' ;
