grammar T;
tokens { a }
s : 'x' ;
