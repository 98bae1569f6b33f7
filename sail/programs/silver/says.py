"""The lines that SILVER types; a command's help stands beside the command.

A line that the note prints or describes is marked with its source; the other
lines are ours.  The questions about a typed position are in sail.talk.choosing.
"""

from sail.talk import rules
from sail.talk.asking import Question

RULES = rules.lines(rules.A_BELOW, rules.EMPTY_ROW_RULES)
TITLE = "KALAH FOR THE PDP-1, BY ROLAND SILVER, REBUILT.  ? FOR HELP."

# Before each game
STONES = Question(
    "STONES A PIT, OR SPECIAL? ",
    otherwise="TYPE 1 TO 12, RETURN FOR 3 OR AS BEFORE, SPECIAL, ?, OR Q TO LEAVE.",
    answer_help={"1 TO 12": "STONES IN EACH PIT", "RETURN": "3, OR AS BEFORE"},
)
LOOK_AHEAD = Question(  # ours, for the test word (APN-DEPTH)
    "LOOK-AHEAD? ",
    otherwise="TYPE 1 TO 77 TURNS, OCTAL, RETURN FOR 4 OR AS BEFORE, OR Q TO GO BACK.",
    answer_help={"1 TO 77": "TURNS, IN OCTAL", "RETURN": "4, OR AS BEFORE"},
)

# The board (APN-FIG3); our scan has only the left kalah
PITS = 7 * " " + 6 * "{:>4}"
KALAHS = "{:>5}{:>32}"
TO_MOVE = "    +"

# The marks after moves (APN-PUNCT)
REPEATS, LOWER_DONE, UPPER_DONE = ".", ",", "\n"
KEYS = Question(
    "",
    otherwise="TYPE PITS 1-6, SPACES, BACK, V, ? OR Q; RETURN ALONE STARTS OVER.",
    answer_help={  # the keys; ours, after APN-DIGIT, APN-SPACE, APN-CR
        "1 TO 6": "PLAYS THAT PIT; 24 PLAYS 2, THEN 4, EVEN IF 2 ENDS THE TURN",
        "SPACE": "THE MACHINE MOVES; 4 AND A SPACE: YOU PLAY 4, THEN IT MOVES",
        "RETURN": "ALONE STARTS OVER AT ONCE, WITH THE SAME STONES AND LOOK-AHEAD",
    },
    notes=("A PLAYS BELOW, AND HIS KALAH IS AT THE RIGHT.  THE + MARKS WHO MOVES.",),
    raw=True,
)
NO_TURN = "THERE IS NO TURN TO TAKE BACK."
VALUE_LINE = "VALUE {}, KALAH A LESS KALAH B.  {} FINAL POSITIONS, {} MADE."
NO_LOOK_AHEAD = "THE MACHINE HAS NOT MOVED YET: A SPACE LETS IT MOVE."

# The end (APN-OVER)
WINS, NOBODY_WINS = "{} WINS.", "NOBODY WINS."
SCORE = "  A {}, B {}."
OVER = "THE GAME IS OVER.  RETURN ALONE STARTS OVER; BACK, V, ? OR Q."
