grammar T;
s : a* EOF ;
a : EOF ;
