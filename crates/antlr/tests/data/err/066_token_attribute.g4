grammar T;
a : A { $A.y } ;
A : 'a' ;
