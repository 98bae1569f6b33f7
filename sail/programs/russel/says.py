"""The lines that RUSSEL types; a command's help stands beside the command.

A line that Memo 22 prints or describes is marked with its source; the other
lines are ours.
"""

from sail.talk import rules
from sail.talk.asking import Question

TITLE = "KALAH, STANFORD A.I. MEMO 22, 1964, REBUILT.  ? FOR HELP."
FIRST = "ST SETS UP A BOARD, 1 TO 6 PLAYS, A SPACE LETS THE MACHINE MOVE."
RULES = rules.lines(
    rules.A_BELOW,
    (  # M22-EGC
        "THE GAME ENDS WHEN A KALAH HOLDS MORE THAN HALF OF THE STONES, WHEN ONE",
        "PLAYER'S PITS ARE EMPTY, OR WHEN NEITHER SIDE CAN KEEP THE OTHER FROM",
        "MOVING THE REST OF ITS STONES HOME.  EACH SIDE KEEPS ITS OWN.",
    ),
)
KEYS = Question(
    "#",  # M22's
    answer_help={  # ours, after M22-TYPE and M22-START
        "1 TO 6": "MAKES THAT MOVE: 24 MAKES 2, THEN 4",
        "SPACE": "THE MACHINE MOVES;  R  TAKES BACK A MOVE, OR LETS B BEGIN",
        "ST": "SETS UP IP STONES A PIT;  ST+1  RESETS ONLY THE ANALYSIS",
        "ID/": "TYPES WHAT ID HOLDS.  TYPE A NUMBER, = FOR OCTAL, OR NOTHING",
    },
    raw=True,
)
LAW, LAW_I = "LAW {}", "LAW I {}"  # M22-SYMBOLS
VALUE = Question(  # after a word is shown
    "",
    answer_help={
        "7": "STORES THAT, IN OCTAL",
        "=": "SHOWS IT IN OCTAL",
        "RETURN": "LEAVES IT",
    },
)
ROUTINE = "{} IS A ROUTINE, AND NOT HERE: THE MEMO PRINTS NO INSTRUCTIONS."
NO_SYMBOL = "MICROFLIT HAS NO SUCH SYMBOL.  HELP RUSSEL CONSTANTS LISTS THEM."
NOT_OCTAL = "NOT AN OCTAL NUMBER: {}."
BETWEEN = "{} HOLDS {:o} TO {:o}, OCTAL."
TD_LAYOUT = "{} HOLDS X0YYY OR X00YYY, OCTAL: DEPTH X UNTIL YYY."  # M22-TD
ONLY_SHOWN = "{} IS ONLY SHOWN: THE PROGRAM SETS IT."
REFUSED = "X"  # M22-TYPE
REFUSED_HELP = "  ? FOR HELP."
REPEATS, TURN_DONE = ".", ","  # M22-TYPE, after a move
BEGINS = "{} BEGINS."  # ours, after M22-TYPE
NO_ROOM = "IA MUST BE LESS THAN IB."

# The analysis (M22-PRINT, as the photographs have it)
MOVE = "M{}"
REPLY = "R{} "
E_P_V = "E{} P{} V{}"
VARIATION = "{} V{}"  # sense switch 3; M22-LEAVES
AT_MARKER = "{},"  # sense switch 5; M22-MARKERS
HALT = "HALT. AT LOC 041631 AC- {:o} IO- 442000"  # M22-PHOTO
# Ours; the T is M22's.
HALTED = Question(
    "", otherwise="T GOES ON;  DISPLAY;  Q STOPS.", answer_help={"T": "GOES ON"}
)
TOTALS = "TE{} TP{}"  # M22-TOTALS
PRINCIPAL = "PV{}"  # M22-TOTALS
NOTHING_MOVED = "STOPPED.  NOTHING WAS MOVED."

# The display
NO_DISPLAY = "NOTHING IS DISPLAYED YET."
WHICH_LINE = "TYPE THE NUMBER OF A DISPLAY LINE, 1 TO {:o} (OCTAL)."

END = "END OF GAME.  A {}, B {}.  HALT."  # M22-HALT; the score is ours
