grammar T;
tokens { A }
a : A ;
A : 'a' ;
