"""KALAH and its neighbours, on a teletype.

The house, from the ground up.  A room imports only rooms above it in this
list, and no program imports another; tests/test_house.py holds it to that.

    board       positions, sowing, capture, end, score
    refusal     one line that says what is wrong, fit to be typed
    stop        how long work is ended
    special     special positions as text: numbers typed, NAME.POS
    area        the folder of the user's files; alone in writing
    manuals     the texts that HELP types
    engine/     moves     the moves of every packed row, computed once
                estimate  what rows are worth, and positions by it
                ranked    the moves of a row by what they are worth
                endgame   databases of positions with few stones
                garbage   its collection, put off while a search runs
                limit     what a search may use
                levels    C B A MASTER TOURNAMENT
                search    alpha-beta for play
                exact     values under perfect play
    teletype    what a program sees of a teletype: type and ask
    line/       codes       character sets of teletypes
                settings    what TTY and --set change
                models      the machines as data
                carriage    columns, wrap, tabs, fill: pure
                discipline  editing, echo, ^C ^U ^O ^Z: pure
                tape        texts as frames of paper tape
                locks       who has a serial port
                ports       pipe, console, pty: bytes
                device      serial line, socket, RFC 2217: bytes
                channel     a port in time: pace, motor, hangup
                station     the teletype at the end of a port
    programs/   game, record, picture, questions, files, registry are shared
                kalah/ silver/ russel/ atlas/ solve/: the talk in dialogue
                (russel: typewriter), the printed lines in says
    monitor     the dot; it finds a program by its name

The sources, and the keys by which comments and tests name a place in them:

    AKC   KALAH.AKC[UP,DOC], Stanford A.I. Laboratory, 1972; margin number
    APN   Kalah, PDP Application Note, with Roland Silver's PDP-1 program
    M22   Richard Russell, Kalah - the Game and the Program, Stanford
          Artificial Intelligence Memo 22, 1964
    BELL  A. G. Bell, Kalah on Atlas, Machine Intelligence 3, 1968
    ISK   Geoffrey Irving, Jeroen Donkers, Jos Uiterwijk, Solving Kalah,
          ICGA Journal 23 (3), 2000; T is a table
    MON   the monitor of the Stanford A.I. Laboratory, 1974
    TTY   manuals of the Teletype Corporation and notes of owners

Words:

    pit         a hole that is played from, 1 to 6 away from the own kalah
    kalah       the hole at a player's end that scores
    submove     one emptying of a pit; a turn is one or several of them
    ply         a turn, as the look-ahead counts it
    node        a position in a game
    effort      positions whose moves were generated
    value       the final difference of stones, good for the mover if > 0
    estimate    what the search takes for the value where it looks no further
    worth       what a row adds to the estimate
    prize       what a capture adds to it, by the stones captured
"""

VERSION = "1972.2026"
