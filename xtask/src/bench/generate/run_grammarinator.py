# Runs a Grammarinator generator in one process, without files: the best case for it.
#
#     run_grammarinator.py FOLDER MODULE RULE SECONDS
#
# FOLDER holds MODULE.py, made by grammarinator-process. Prints one line: tests, tokens of a test at 10, 50 and 90 %, tokens
# and bytes a second of processor time. Tests that take too long or run out of stack are left out, with their time.
import importlib
import random
import signal
import sys
import time

from grammarinator.runtime import DefaultModel, RuleSize, UnlexerRule, simple_space_serializer

MOST_TOKENS = 1000
MOST_DEPTH = 40
SECONDS_FOR_ONE = 5


def tokens(node):
    todo, found = [node], 0
    while todo:
        node = todo.pop()
        if isinstance(node, UnlexerRule):
            found += 1 if node.src else 0
        else:
            todo.extend(node.children)
    return found


def too_long(signum, frame):
    raise TimeoutError


folder, module, rule, seconds = sys.argv[1:]
sys.path.insert(0, folder)
sys.setrecursionlimit(10_000)
random.seed(14)
generator_class = getattr(importlib.import_module(module), module)
signal.signal(signal.SIGALRM, too_long)
sizes, length, counting = [], 0, 0.0
began = time.process_time()
while time.process_time() - began - counting < float(seconds):
    generator = generator_class(model=DefaultModel(), limit=RuleSize(depth=MOST_DEPTH, tokens=MOST_TOKENS))
    signal.alarm(SECONDS_FOR_ONE)
    try:
        root = getattr(generator, rule)()
        text = simple_space_serializer(root)
    except (TimeoutError, RecursionError):
        continue
    finally:
        signal.alarm(0)
    length += len(text.encode("utf-8", "surrogatepass"))
    paused = time.process_time()
    sizes.append(tokens(root))
    counting += time.process_time() - paused
spent = time.process_time() - began - counting
sizes.sort()
at = [sizes[(len(sizes) - 1) * percent // 100] if sizes else 0 for percent in (10, 50, 90)]
print(len(sizes), *at, f"{sum(sizes) / spent:.0f}", f"{length / spent:.0f}")
