grammar T;
a : "x" ;
