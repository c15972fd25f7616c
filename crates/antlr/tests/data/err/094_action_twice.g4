grammar T;
@members { }
@members { }
a : 'x' ;
