grammar T;
e : <assoc=none> e '^' e | 'x' ;
