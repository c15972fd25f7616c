grammar T;
start : exprr EOF ;
expr : 'x' ;
