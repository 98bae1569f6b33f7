"""Every line that SILVER types, in order of appearance.

A line that the note prints or describes is marked with its source; the other
lines are ours.  The questions about a typed position are in sail.programs.questions.
"""

TITLE = "KALAH FOR THE PDP-1, BY ROLAND SILVER.  ? FOR HELP."  # ours

# Before each game
STONES = "STONES A PIT, OR SPECIAL? "  # ours
STONES_HELP = (
    "TYPE 1 TO {}, SPECIAL, SPECIAL NAME, NOTHING ({}, OR AS BEFORE), OR Q."  # ours
)
LOOK_AHEAD = "LOOK-AHEAD? "  # ours, for the test word (APN-DEPTH)
LOOK_AHEAD_HELP = (
    "TYPE 1 TO 77 TURNS, OCTAL, NOTHING ({:o}, OR AS BEFORE), OR Q."  # ours
)

# The board (APN-FIG3)
TO_MOVE = "+"

# The row of moves (APN-PUNCT)
AGAIN, LOWER_DONE, UPPER_DONE = ".", ",", "\n"
STOPPED = "STOPPED."  # ours
KEYS_HELP = "TYPE PITS 1-6, BLANKS, NOTHING TO START OVER, BACK, NEW, ? OR Q."  # ours
KEYS_MORE = (  # ours, after APN-DIGIT, APN-SPACE, APN-CR
    "1 TO 6      PLAYS THAT PIT; 24 PLAYS 2, THEN 4.  AN EMPTY PIT IS IGNORED",
    "BLANK       THE COMPUTER SELECTS A MOVE; 4 AND A BLANK: FIRST YOU PLAY 4",
    "EMPTY LINE  STARTS OVER AT ONCE, WITH THESE STONES AND THIS LOOK-AHEAD",
    "BACK        BRINGS BACK THE GAME THAT AN EMPTY LINE WIPED",
    "NEW         ASKS FOR STONES AND LOOK-AHEAD; Q THERE GOES BACK TO PLAY",
    "Q           LEAVES SILVER;  ^C STOPS A SEARCH",
    "A, BELOW, HAS THE KALAH AT THE RIGHT, B, ABOVE, THAT AT THE LEFT.  PITS",
    "COUNT FROM THE OWN KALAH.  THE + IS ON THE SIDE OF THE PLAYER TO MOVE.",
    "HELP SILVER AT THE DOT OF MONITOR TYPES THE MANUAL.",
    "IN A SHELL, python3 kalah.py HELP SILVER TYPES IT.",
)
NOTHING_WIPED = "BACK BRINGS BACK A GAME THAT AN EMPTY LINE WIPED; NONE WAS."  # ours

# The end (APN-OVER)
WINS, NOBODY_WINS = "{} WINS.", "NOBODY WINS."  # ours
SCORE = "  A {}, B {}."  # ours
OVER_HELP = "THE GAME IS OVER.  AN EMPTY LINE STARTS OVER; NEW, ? OR Q."  # ours
