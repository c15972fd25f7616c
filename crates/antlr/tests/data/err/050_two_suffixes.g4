grammar T;
a : 'x'+* ;
