grammar T;
a : '' ;
