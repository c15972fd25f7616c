grammar T;
e : l=e '+' r=e | l=A ;
A : 'a' ;
