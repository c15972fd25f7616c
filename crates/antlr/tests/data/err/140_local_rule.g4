grammar T;
a locals [int b] : b ;
b : 'x' ;
