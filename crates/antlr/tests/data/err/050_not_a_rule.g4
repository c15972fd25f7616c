grammar T;
a : ~b ;
b : 'x' ;
