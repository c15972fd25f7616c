grammar T;
a : 'x' % 'y' ;
