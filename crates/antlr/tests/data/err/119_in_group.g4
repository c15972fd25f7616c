grammar T;
e : (e '*' e) | 'x' ;
