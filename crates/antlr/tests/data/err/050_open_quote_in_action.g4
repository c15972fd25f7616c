grammar T;
a : 'x' { it's } ;
b : 'y' ;
