"""The hold model in SimPy, for comparison: `pip install simpy`, then `python3 benches/hold_simpy.py`.

20 pending events, each replaced by another when it is handled, 1,000,000 in all. Prints `name|value` like the table.
"""

import time

import simpy

PENDING, EVENTS = 20, 1_000_000


def hold(env, left):
    while left[0] > 0:
        left[0] -= 1
        yield env.timeout(0.3)


def run():
    env, left = simpy.Environment(), [EVENTS]
    for _ in range(PENDING):
        env.process(hold(env, left))
    begin = time.perf_counter()
    env.run()
    return time.perf_counter() - begin


print(f"events in SimPy {simpy.__version__}, {PENDING} pending|{EVENTS / min(run() for _ in range(3)) / 1e6:.1f} M/s")
