grammar T;
a : 'x' { foo( ;
b : 'y' ;
