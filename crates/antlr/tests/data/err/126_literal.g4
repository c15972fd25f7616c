parser grammar T;
a : 'x' ;
