grammar T;
s : e[1] ;
e[int p] : e[1] 'x' | 'y' ;
