grammar T;
a : options ;
options : 'x' ;
