grammar T;
a 'x' ;
