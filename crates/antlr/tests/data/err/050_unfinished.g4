grammar T;
a : 'x'