grammar T;
a : b ;
c : x=('y' 'z') ;
