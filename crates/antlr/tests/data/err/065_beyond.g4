grammar T;
a : b ;
b : 'x' { $a::y } ;
