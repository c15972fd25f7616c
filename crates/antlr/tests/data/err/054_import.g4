grammar T;
import T;
import T;
a : 'x' ;
