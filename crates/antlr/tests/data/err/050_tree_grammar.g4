tree grammar T;
a : A ;
