grammar T;
mode : 'x' ;
