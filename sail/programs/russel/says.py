"""Every line that RUSSEL types, in order of appearance.

A line that Memo 22 prints or describes is marked with its source; the other
lines are ours.
"""

TITLE = "KALAH, STANFORD A.I. MEMO 22, 1964.  ? FOR HELP."  # ours
LISTENS = "#"  # M22, the second listing
HELP = (  # ours, after M22-TYPE and M22-START
    "1 TO 6     MAKES THAT MOVE: 24 MAKES 2, THEN 4",
    "BLANK      THE MACHINE MOVES;  R TAKES BACK THE LAST MOVE, OR LETS",
    "           B BEGIN.  ONE LINE MAY HOLD SEVERAL OF THESE",
    "ST         SETS UP IP STONES A PIT, AT FIRST 3, AND RESETS THE VALUES;",
    "           ST+1  RESETS ONLY ALPHA, BETA, DEPTH AND EFFORT",
    "SU 14 NUMBERS, OR NAME.POS   SETS UP A POSITION;  PB  PRINTS IT",
    "ID/        TYPES WHAT ID HOLDS.  TYPE A VALUE, = FOR OCTAL, OR NOTHING",
    "ID/ 7      SETS ID TO 7.  ALSO IA IB IP Y OP TD TO TD+3 GM SAP SBT BPV",
    "           SOR (ST-1) PM, AND THE BOARD: A6 TO A1, KA, B6 TO B1, KB",
    "EF/        AL BT DP EF PD PDL FSL ARE ONLY SHOWN",
    "SS3/ 1     A SENSE SWITCH: 3 VARIATIONS, 4 BOARD, 5 MARKERS,",
    "           6 NO ANALYSIS.  ALL VALUES ARE OCTAL",
    "DISPLAY N  TYPES DISPLAY LINE N;  PHOTO N  PUTS IT ON PHOTON.SVG",
    "Q          LEAVES;  ^C STOPS AN ANALYSIS",
    "HELP RUSSEL AT THE MONITOR'S DOT TYPES THE MANUAL.",
    "IN A SHELL, python3 kalah.py HELP RUSSEL TYPES IT.",
)
LAW, LAW_I = "LAW {}", "LAW I {}"  # M22-SYMBOLS
OCTAL = "{:o}"  # M22-START
QUERY = "?"  # microflit's answer to what it does not know; ours
BETWEEN = "{} HOLDS {:o} TO {:o}, OCTAL."  # ours
TD_LAYOUT = "{} HOLDS X0YYY OR X00YYY, OCTAL: DEPTH X UNTIL YYY."  # M22-TD
ONLY_SHOWN = "{} IS ONLY SHOWN: THE PROGRAM SETS IT."  # ours
NO_LIST = "NO {} HERE: A VARIATION IS KEPT AS TEXT, NOT AS A LIST."  # ours
TOO_MANY_STONES = "AT MOST {} STONES IN ALL."  # ours
REFUSED = "X"  # M22-TYPE
AGAIN, TURN_DONE = ".", ","  # M22-TYPE, after a move
BEGINS = "{} BEGINS."  # ours, after M22-TYPE
FOURTEEN_NUMBERS = "14 NUMBERS: A'S KALAH AND PITS 1-6, THEN B'S."  # ours
LIMITS = "IA MUST BE LESS THAN IB."  # ours

# The analysis (M22-PRINT, as the photographs have it)
MOVE = "M{}"
REPLY = "R{} "
EFFORT = "E{} P{} V{}"
VARIATION = "{} V{}"  # sense switch 3; M22-LEAVES
AT_MARKER = "{},"  # sense switch 5; M22-MARKERS
HALT = "HALT. AT LOC 041631 AC- {:o} IO- 442000"  # M22-PHOTO
HALTED_HELP = "T GOES ON;  PHOTO, DISPLAY;  Q STOPS."  # ours; the T is M22's
TOTALS = "TE{} TP{}"  # M22-TOTALS
PRINCIPAL = "PV{}"  # M22-TOTALS
OUT_OF_FREE_STORAGE = "OUT OF FREE STORAGE"  # M22-CER
STOPPED = "STOPPED.  NOTHING WAS MOVED."  # ours

# The display
NO_DISPLAY = "NOTHING IS DISPLAYED YET."  # ours
NO_SUCH_LINE = "THERE IS NO DISPLAY LINE {:o}, ONLY {:o}."  # ours
MANY_LINES = "{:o} DISPLAY LINES: TYPE {} AND A NUMBER (OCTAL)."  # ours

END = "END OF GAME.  A {}, B {}."  # ours; M22 only halts
