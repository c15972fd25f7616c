grammar T;
s : ('x'?)? 'y' ;
