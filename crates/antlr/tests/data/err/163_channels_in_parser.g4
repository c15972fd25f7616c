parser grammar T;
channels { C }
a : A ;
