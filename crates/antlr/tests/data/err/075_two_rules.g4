grammar T;
a : x=b x=c ;
b : A ;
c : A ;
A : 'a' ;
