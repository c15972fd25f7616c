x = a + * b;
