grammar T;
a : (options { greedy = false; } : 'x')* 'y' ;
