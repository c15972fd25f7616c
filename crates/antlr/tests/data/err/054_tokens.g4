grammar T;
tokens { A }
tokens { B }
a : A B ;
