grammar T;
a : _b ;
