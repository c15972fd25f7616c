grammar T;
a : 'x' ;
a : 'y' ;
