grammar T;
a returns [int b] : b ;
b : 'x' ;
