"""KALAH, the game program of the Stanford A.I. Laboratory, 1972 (AKC).

A session, `dialogue`, runs `begin`, `play` and `last` for each game:

    begin       the questions before a game; `practice` has the exercises
    play        the game, with an `opponent` and the boards of `showing`
    last        the last game, which may go on: `saving`, `review`, `standing`
    why         for each of them: what a turn does, and where it leads
"""
