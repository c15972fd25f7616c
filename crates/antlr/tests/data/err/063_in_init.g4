grammar T;
a @init { $y } : 'x' ;
