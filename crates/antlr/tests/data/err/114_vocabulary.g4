parser grammar T;
options { tokenVocab = Missing; }
a : A ;
