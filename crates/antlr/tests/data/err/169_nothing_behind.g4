grammar T;
e : e | 'x' ;
