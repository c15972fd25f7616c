grammar T;
e : 'x'? e '+' | 'y' ;
