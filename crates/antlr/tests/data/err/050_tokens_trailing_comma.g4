grammar T;
tokens { A, }
a : A ;
