grammar T;
import Missing;
a : 'x' ;
