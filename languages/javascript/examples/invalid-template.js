let s = `a ${b;
