typedef struct item item_t;
struct item { int kind; item_t *next; };
typedef int T;
extern int a, b, f(int), x;
int find(item_t *list, int kind, __builtin_va_list ap)
{
    __label__ out, again;
    item_t *at = list, *const *end;
    item_t local = (item_t){ .kind = 3 };
    int (*handler)(int) = 0, i, n = sizeof(item_t) * 2 + sizeof local;
    static void *const targets[] = { &&out, &&again };
    int twice(int x) { return x + x; }
    __auto_type m = ({ int y = twice(n); y > 0 ? y : -y; });
    for (int j = 0, k; j < 10; j++) ;
    for (i = 0, n = 3; ; ) break;
again:
    switch (kind) {
    case 1: case 2: i++;
        __attribute__((fallthrough));
    case 'a' ... 'z': { n = (int)at->kind, i += (*handler)(n); break; }
    default: ;
    }
    do if (i) n <<= 1; else if (n) i = i ?: n; while (--i);
    while (at) at = at->next;
    if (n) goto *targets[1]; else goto out;
    __asm__ volatile ("mov %1, %0" : "=r"(n), [in] "+m"(i) : "r"((long)n) : "memory", "cc");
    asm goto ("" : : : : out, again);
    a * b;
    f(x);
    (T)(x);
    T y;
    T (*fp)(void) = 0;
out:
    return _Generic(n, int: 1, item_t *: 2, default: 3) + __builtin_offsetof(item_t, next) + (unsigned char)*"a" "b" + L'c'
        - ((item_t *)list->next)->kind + __builtin_types_compatible_p(int, item_t) + (__builtin_va_arg(ap, item_t *))->kind;
done:
}
