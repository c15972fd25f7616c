grammar T;
