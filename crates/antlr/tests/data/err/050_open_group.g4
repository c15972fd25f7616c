grammar T;
a : ( 'x' | 'y' ;
b : 'z' ;
