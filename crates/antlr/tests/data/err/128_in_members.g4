grammar T;
@members { $y }
a : 'x' ;
