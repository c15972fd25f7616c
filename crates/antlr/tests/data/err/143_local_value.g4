grammar T;
a returns [int x] locals [int x] : 'x' ;
