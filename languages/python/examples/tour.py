"""A tour of the language."""
from __future__ import annotations

import os.path as path
from . import (
    first,
    second as other,
)


@decorator(1)
class Point[T](Base, metaclass=Meta):
    x: int = 0

    def move(self, /, dx, *rest, dy=1, **options) -> "Point":
        if dx > 0 and not dy:
            return self
        elif (n := len(rest)) != 3:
            self.x += dx ** -2
        else:
            pass
        return f"{self.x!r:>{n}} {{}} {n=}"


async def fetch(urls):
    async with session() as s, lock:
        return [await s.get(u) async for u in urls if u]


match command.split():
    case ["go", direction] | ["walk", *direction] if direction:
        print(direction)
    case {"name": str(name), **rest}:
        del rest["x"], rest
    case Point(x=0) | -1 | None:
        raise ValueError from None
    case _:
        ...

try:
    table = {**base, 'a': 1, "b": lambda x, *y: x}
except (OSError, KeyError) as error:
    print(table[1:2, ::3], end="")
finally:
    for i, *j in zip(*table): print(i); continue
