grammar T;
a : 'x' # ;
