grammar T;
@header { }
@lexer::header { }
a : 'x' ;
