# 1 "declarations.c"
# 1 "<built-in>"
typedef unsigned long size_t;
typedef struct node { struct node *next; int bits : 3, : 0; char name[]; } node_t;
extern int printf(const char *__restrict format, ...) __attribute__((format(printf, 1, 2)));
static inline __attribute__((always_inline)) int (*pick(int n))(const void *, size_t);
int (lua_gettop)(node_t *L);
node_t *(first), **second, third = { .bits = 1, name: "x" };
node_t (*callback)(node_t *, int (*)(void)), (*table[4])(size_t n);
enum color { red, green = 1 << 2, blue, };
union { float f; int i; struct { short low, high; }; } value;
int squares[] = { [0] = 0, [1 ... 3] = 1, [4] 16 };
_Static_assert(sizeof(int) == 4, "int");
_Alignas(16) static _Thread_local const volatile _Atomic int shared;
_Atomic(int) counter;
_Complex double z = 1.0i;
__int128 wide; _Float128 precise = 1.0f128; __float128 old = 2.0q;
__typeof__(squares[0]) same; __typeof__(int *) pointer;
typedef int vector __attribute__((vector_size(16)));
int aliased __asm__("alias") __attribute__((weak));
__asm__(".globl alias");
void variable(int n, int a[static n], int b[const *], char c[][n]);
implicit;
main(argc, argv) int argc; char **argv; { return argc; }
size_t old_style(p, q) const node_t *p; size_t q; { return q; }
