grammar T;
e : e 'x'? | 'y' ;
