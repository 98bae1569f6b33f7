"""Try TTY TEST on emulated machines, by owners who answer what stands on the paper.

    python3 -m tests.bench.trial

Makes 33, 28, 15 and T100, half duplex and full, with line feed on return and
without; carriages that return in 1 to 6 character times, in steps of 0.2; papers of
44 to 132 columns; FILL, WIDTH, LF, ECHO and USOS right and wrong: each alone and in
pairs.  A case is worse if the machine types or reads badly after the test, or if it
typed well before it and gets narrower lines, or more fillers for lines as wide.
23 November 2026, in four minutes of CPU time: 5976 cases, 0 worse.
"""

from __future__ import annotations

from tests.monitor.test_trial import cases, worse


def main() -> None:
    told = [worse(case) for case in cases()]
    print(
        *filter(None, told),
        f"{len(told)} cases, {sum(map(bool, told))} worse",
        sep="\n",
    )


if __name__ == "__main__":
    main()
