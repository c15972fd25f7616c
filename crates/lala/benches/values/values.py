"""The programs of values.lala in Python, as one would write them there."""
import sys
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def name(i):
    return "n" + str(i)


def fill(n):
    return {name(i): i for i in range(n)}


def calls():
    return fib(25)


def lists():
    return sum(
        map(lambda round: sum(filter(lambda x: x % 3 == 0, map(lambda x: x * x + round, range(1000)))), range(100))
    )


def scopes():  # the older tables are not kept: they would take gigabytes
    total, table = 0, fill(2000)
    for i in range(20000):
        table = dict(table)
        table[name(i % 2000)] = 2000 + i
        total += table["n1999"]
    return total


def lookups():
    total, table = 0, fill(2000)
    for i in range(200000):
        found = table.get(name(i % 4000))
        total += 1 if found is None else found
    return total


def visible():
    total, scope = 0, []
    for i in range(2000):
        scope.append({"name": name(i), "type": i % 50})
        total += len([s for s in scope if s["type"] == i % 50])
    return total


for task in (calls, lists, scopes, lookups, visible):
    best = float("inf")
    for _ in range(int(sys.argv[1])):
        start = time.process_time()
        result = task()
        best = min(best, time.process_time() - start)
    print(f"{task.__name__} {best:.6f} {result}")
