grammar T;
e : e '^'<assoc=right> e | 'x' ;
