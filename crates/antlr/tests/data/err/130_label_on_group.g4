grammar T;
a : x=('b' 'c') ;
