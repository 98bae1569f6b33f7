"""KALAH and its neighbors, on a teletype.

Each module imports only modules listed above it, and no program imports another;
tests/test_house.py checks both.

    board       positions, sowing, capture, end, score
    refusal     errors that are typed as a line or a few
    typed       what people type: abbreviated names, numbers, dashes; plurals
    stop        stopping long work, and clocks
    game        a game, and turns as they are typed
    settings    what TTY and --set change
    teletype    a teletype as a program sees it: type and ask
    engine/     moves       the moves of every packed row, computed once
                value       a value: proved bounds, an estimate, its error
                evaluation  of a position without a search: a worth for each row
                endgame     databases of positions with few stones
                levels      the limits and errors of a search; the ladder of levels
                search      alpha-beta for play
                exact       values under perfect play
                judgement   what every turn kept or lost under perfect play
    files/      seal        the first line of what the program writes for itself
                placing     a position in words: rows of stones, who is to move
                positions   special positions and exercises: NAME.POS
                disk        files and locks; only this module writes in the area
                area        the user's files, by name
                games       games as text: KALAH.OUT
                tally       the exercises solved at the first try
                proved      values on file that have been proved
    talk/       manuals     the texts that HELP types
                rules       the rules as lines
                layout      the lines of a typed board
                asking      questions, with their commands and help
                choosing    choosing a position, typed or on file, or a saved game
    line/       codes       character sets of teletypes
                models      the models of teletype as data
                filters     telnet, echoes, escapes, doubled line ends: pure
                carriage    columns, wrap, tabs, fill: pure
                tape        texts as the frames of paper tape
                discipline  editing, echo, ^C ^U ^O ^Z: pure
                ports       pipe, console, pty: bytes
                failures    the errors of a line in words
                device      serial line, socket, RFC 2217: bytes
                budget      the paper for lines that make no sense
                channel     bytes in and out, and time: pace, motor, hangup
                driver      a carriage and a discipline on a channel; paper tape
                station     the teletype that programs see, and who sits there
    programs/   NAME/       a program each
    monitor/    registry    the programs by name
                trial       TTY TEST, which finds a machine's settings
                filing      the commands at the dot that work on files
                dot         the dot prompt and its other commands
                visitors    KALAH for strangers, without a dot

The sources: a comment or a test that names AKC-02100 cites a statement in sail/sources.
`python3 kalah.py HELP AKC-02100` types it, and HELP SOURCES lists the keys.

Words:

    player      0, A, or 1, B; of a level's game, one is the user.  In ATLAS, the other
                player is the machine, as in Bell's paper
    position    a board and the player to move; in ATLAS a Node has it, packed
    pit         a hole to play from, 1 to 6, counted from its owner's kalah
    kalah       the hole at a player's end, where his captured stones count
    hole        a pit or a kalah; the paper of 2000 counts pits, as holes, from 0
    row         a player's pits, pit 1 first
    side        of a position in words: a player's kalah and then his row
    move        the sowing of one pit; a submove, as one of those in a turn
    turn        a player's moves until the other is to move: a Turn, or its Pits alone
    course      moves from a position on, by both players
    variation   pits that both players should play from a position on: the principal
                variation of a search, or best play after a turn
    ply         one turn of the look-ahead, a level in the papers on SILVER and RUSSEL
    effort      how many positions had their moves generated; RUSSEL's EF counts moves
    error       of an estimate: nine in ten are within so many stones; else an exception
    heading     of a game on file, after GAME OF: when it began, which its chance
                follows, or names
    value       the final difference of stones, positive if the mover wins: proved, or
                an estimate, as an evaluation is; see engine/value.  In SILVER and
                RUSSEL, A's; in ATLAS, the machine's, from LOSS to WIN
    evaluation  of a position, without a search; a worth is a pit's or a row's part
    finding     what a search, a proof or a file has of a position or of a turn: the
                value, and how best play begins or goes on
    judgement   of a turn: what it kept or lost; a review is typed from these
    entry       of a position file: a position, perhaps an exercise
    exercise    an entry with right turns; a lesson is one of LEARN.POS
    record      a position that ATLAS remembers, or its characteristic
    level       of play; in sail/line, a bit of a code: five or eight
    aside       a line of ours that nobody asked for; AKC types none
    visitor     a stranger, whose only file is KALAH.OUT; the owner has the whole area
    machine     a teletype; in ATLAS, the program that plays
    line        a line of text; sail/line is about the line to a machine
    tape        paper tape; ATLAS.TAP is the magnetic tape of Bell's program
"""

from pathlib import Path

VERSION = "1972.2026"
HOUSE = Path(__file__).parent  # with all that is read as it was shipped
