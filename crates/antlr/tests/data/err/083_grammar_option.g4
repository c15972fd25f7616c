grammar T;
options { backtrack = true; }
a : 'x' ;
