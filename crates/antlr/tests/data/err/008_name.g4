grammar U;
a : 'x' EOF ;
