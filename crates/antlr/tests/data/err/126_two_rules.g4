grammar T;
a : 'x' ;
A : 'x' ;
B : 'x' ;
