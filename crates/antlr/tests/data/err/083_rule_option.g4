grammar T;
a options { k = 1; } : 'x' ;
