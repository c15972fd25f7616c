grammar T;
a : 'x' } ;
