grammar T;
e : e '+' | e '-' ;
