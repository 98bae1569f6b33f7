"""Every line that SILVER types, in order of appearance.

A line that the note prints or describes is marked with its source; the other
lines are ours.  The questions about a typed position are in sail.programs.questions.
"""

TITLE = "KALAH FOR THE PDP-1, BY ROLAND SILVER.  ? FOR HELP."  # ours

# Before each game
STONES = "STONES A PIT, OR SPECIAL? "  # ours
STONES_HELP = (
    "TYPE 1 TO {}, SPECIAL, SPECIAL NAME OR Q.  NOTHING: {}, OR AS BEFORE."  # ours
)
LOOK_AHEAD = "LOOK-AHEAD? "  # ours, for the test word (APN-DEPTH)
LOOK_AHEAD_HELP = (
    "TYPE 1 TO 77 TURNS, OCTAL, OR Q.  NOTHING: {:o}, OR AS BEFORE."  # ours
)

# The board (APN-FIG3)
TO_MOVE = "+"

# The row of moves (APN-PUNCT)
AGAIN, LOWER_DONE, UPPER_DONE = ".", ",", "\n"
STOPPED = "STOPPED."  # ours
KEYS_HELP = "TYPE PITS 1-6, BLANKS, BACK, NEW, ? OR Q; NOTHING STARTS OVER."  # ours
KEYS_MORE = (  # ours, after APN-DIGIT, APN-SPACE, APN-CR
    "1 TO 6      PLAYS THAT PIT; 24 PLAYS 2, THEN 4: FOR THE OTHER SIDE, IF 2",
    "            ENDED THE TURN.  AN EMPTY PIT IS IGNORED",
    "BLANK       THE COMPUTER MOVES; 4 AND A BLANK: YOU PLAY 4, THEN IT MOVES",
    "EMPTY LINE  STARTS OVER AT ONCE, WITH THE SAME STONES AND LOOK-AHEAD",
    "BACK        BRINGS BACK THE GAME THAT AN EMPTY LINE WIPED OUT",
    "NEW         ASKS FOR STONES AND LOOK-AHEAD; Q THERE RETURNS TO PLAY",
    "Q           LEAVES SILVER;  ^C STOPS A SEARCH",
    "A PLAYS BELOW AND OWNS THE KALAH AT THE RIGHT, B ABOVE AND AT THE LEFT.",
    "PIT 1 IS NEXT TO ITS OWNER'S KALAH.  THE + IS ON THE SIDE TO MOVE.",
    "HELP SILVER AT THE MONITOR'S DOT TYPES THE MANUAL.",
    "IN A SHELL, python3 kalah.py HELP SILVER TYPES IT.",
)
NOTHING_WIPED = (
    "BACK BRINGS BACK A GAME THAT AN EMPTY LINE WIPED OUT.  THERE IS NONE."  # ours
)

# The end (APN-OVER)
WINS, NOBODY_WINS = "{} WINS.", "NOBODY WINS."  # ours
SCORE = "  A {}, B {}."  # ours
OVER_HELP = "THE GAME IS OVER.  AN EMPTY LINE STARTS OVER; NEW, ? OR Q."  # ours
