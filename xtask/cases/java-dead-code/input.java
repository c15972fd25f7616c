class Shop {
    static int count = 3;

    int price(int kind) {
        for (int i = 0; i < kind; i++) count += i;
        return count;
    }

    int first(Object o) {
        if (o == null) {
            return 0;
        }
        if (o == null) count = o.hashCode();
        return price(1);
    }
}
