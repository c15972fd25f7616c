grammar T;
import A B;
a : 'x' ;
