"""The routines of RUSSEL under their names in Stanford A.I. Memo 22, 1964.

Player a maximises, b minimises; every value is for a.  A level of the tree
is a turn: the root is level 1, a move that ends in the kalah stays on its
level, and positions at level ID are evaluated (M22-DEPTH).  A variation is
text as it is printed: the pits, with a dash or a comma after each turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sail.board import MOST_PITS, Position
from sail.programs.russel.display import Display
from sail.stop import Stop, Stopped, never

READ_IN = {  # the constants as the tape has them (M22-START)
    "IA": -0o377,
    "IB": 0o377,
    "ID": 5,
    "IP": 3,
    "TD": 0o50010,
    "TD+1": 0o30040,
    "TD+2": 0o20070,
    "TD+3": 0o777,
    "Y": 0o31,
    "OP": 6,
    "GM": 0o10,  # gamma
    "SAP": -0o377,  # the limits of the short look-ahead
    "SBT": 0o377,
    "SOR": 0,  # 1: ORD orders where there is no short look-ahead
    "BPV": 0o6737,  # the last word of free storage: microflit starts at 6740
    "PM": 0,  # 1: the loose rule of option 3; ours
}
# The memo does not say where free storage begins.  The greatest address that
# it prints for the program is 3742, so 4000 is taken: 2740 words.
FREE_STORAGE = 0o4000
WORDS_OF_A_NODE = 3  # alpha, beta, and the order of the moves
SHORT_DEPTH = 3  # of the short look-ahead without option 1
FEW_STONES = 16  # that many in the pits, or fewer, are all moved at once by EV
SURE = 100  # added to the final difference of a game that is won
UNSORTED = 0o654321
POLL_EFFORT = 128  # positions between two looks at the typewriter

# A board is the PDP-1's: a6 .. a1 ka b6 .. b1 kb in consecutive places, and
# the place across from pit n is 12 - n.  RINGS[side] leads through it as that
# side sows, over and over, from its pit 6: long enough for any sowing.
KA, KB = 6, 13
ACROSS = 12
HOLES = 13  # that a side sows into
RINGS = tuple(
    tuple((first + hole) % 14 for hole in range(HOLES)) * 13 for first in (0, 7)
)
# STAYING[hole][stones]: how many stones stay with the side that sows them from
# that hole.  FEW_STONES are not all in one pit, for then the game is over.
STAYING = tuple(
    tuple(
        sum((hole + stone) % HOLES <= 6 for stone in range(1, stones + 1))
        for stones in range(FEW_STONES)
    )
    for hole in range(MOST_PITS)
)


class OutOfFreeStorage(Stopped):
    """CER: the push-down list has used up free storage (M22-CER)."""


class Watch:
    """What an analysis reports on its way.  This one lets every report pass.

    Variations are text as described above; efforts count positions.
    """

    def move(self, variation: str) -> None:
        """PMV: the search begins behind this move of the first level."""

    def reply(self, variation: str, effort: int, long_effort: int, value: int) -> None:
        """PRP: a reply is searched, or a move that allows none.

        The efforts are those since the last report.
        """

    def leaf(self, variation: str, value: int, marker: str) -> None:
        """QIA, XPO: a position is evaluated.

        marker: as P1M1; empty at a position without one.
        """

    def photo_halt(self, line: int) -> None:
        """Option 8: that display line is full; 0 before the analysis."""

    def better(self, level: int, variation: str, value: int) -> None:
        """A new best move is found at that level of the tree."""


class Routines:
    """The program on one board, with its constants and its push-down list."""

    def __init__(self, words: dict[str, int], watch: Watch, position: Position) -> None:
        self.words = words
        self.watch = watch
        self.stop: Stop = never
        self.su(position)

    def su(self, position: Position) -> None:
        """Set up the board, and empty the push-down list."""
        (a, b), kalahs = position.rows, position.kalahs
        self.second = position.mover  # flag 6: b is to move
        self._take_up([*reversed(a), kalahs[0], *reversed(b), kalahs[1]])
        self.in_()

    def put(self, place: int, stones: int) -> None:
        """Put that many stones into a place of the board.

        The push-down list is emptied: no move before can be taken back.
        """
        self._take_up([*self.board[:place], stones, *self.board[place + 1 :]])

    def _take_up(self, board: list[int]) -> None:
        self.board = board
        self.pdl: list[tuple[list[int], int]] = []
        self.half = sum(board) // 2
        self.egc()

    def in_(self) -> None:
        """Initialize all values except board and push-down list."""
        self.al, self.bt = self.words["IA"], self.words["IB"]
        self.dp = self.words["ID"]
        self.ef = self.p_ef = self.leaves = 0
        self.told = (0, 0)  # the efforts when PRP last reported them
        self.best = ""
        self.root_second = self.second
        self.gamma_mode = self.option(2)
        self.postponing = self.option(3)
        self.displaying = not self.option(9)
        self.halting = self.displaying and self.option(8)
        self.display = Display()
        self.mfs()

    def mfs(self) -> None:
        """Make free storage: the words from FREE_STORAGE to BPV.

        A move on the push-down list takes one word.  A position that is
        being searched takes three, and one for each move of its principal
        variation.
        """
        self.free_words = self.words["BPV"] - FREE_STORAGE + 1
        self.node_words = 0  # in use, besides those of the moves

    def option(self, number: int) -> bool:
        """Whether that option is on in OP, counted from the low bit (M22-OP)."""
        return bool(self.words["OP"] >> number - 1 & 1)

    def row(self, side: int) -> list[int]:
        """The stones in the pits of that side, from pit 1 to pit 6."""
        return self.board[7 * side : 7 * side + MOST_PITS][::-1]

    @property
    def kalahs(self) -> tuple[int, int]:
        """The stones in ka and kb."""
        return self.board[KA], self.board[KB]

    @property
    def sides(self) -> tuple[int, int]:
        """The stones on a's and b's side, kalahs included."""
        return sum(self.board[:7]), sum(self.board[7:])

    def analyse(self, stop: Stop = never) -> tuple[int, str]:
        """The value and the principal variation of the present position.

        Raises Stopped, and OutOfFreeStorage; the board is then as before.
        """
        self.in_()
        self.stop = stop
        moves = len(self.pdl)
        try:
            if self.halting:
                self.watch.photo_halt(0)
            value, variation = self.mm(1, self.al, self.bt, "")
        finally:
            self.node_words = 0
            while len(self.pdl) > moves:
                self.rv()
        if self.second:
            self.bt = value
        else:
            self.al = value
        return value, variation

    def mv(self, pit: int) -> None:
        """Make the move, keep the board before it, and call EGC.

        The pit must hold stones.  A capture needs stones in the pit opposite:
        the text leaves that open, but without it the printed run would have
        a total of 571, not 627 (M22-RULES).  Raises OutOfFreeStorage.
        """
        if len(self.pdl) + self.node_words >= self.free_words:
            raise OutOfFreeStorage
        self.pdl.append((self.board, self.second))
        board = self.board = self.board[:]
        ring = RINGS[self.second]
        hole = MOST_PITS - pit
        stones = board[ring[hole]]
        board[ring[hole]] = 0
        for last in ring[hole + 1 : hole + 1 + stones]:
            board[last] += 1
        hole = (hole + stones) % HOLES
        self.end_of_turn = int(hole != 6)  # flag 4
        if hole < 6 and board[last] == 1 and board[ACROSS - last]:
            board[KB if self.second else KA] += 1 + board[ACROSS - last]
            board[last] = board[ACROSS - last] = 0
        self.second ^= self.end_of_turn
        self.egc()

    def rv(self) -> None:
        """Take back the last move, whole."""
        self.board, self.second = self.pdl.pop()
        self.end_of_game = False

    def egc(self) -> None:
        """Set flag 5, and the score, if the game counts as over (M22-EGC).

        It is over when a kalah holds more than half of the stones, when a
        row is empty, and when neither side can keep the other from moving
        the rest of its stones.  (The memo has "one side" for the kalah; with
        the pits of a side the printed run would have a total of 35.)  In
        each case both keep what lies on their side, so the score is the
        difference of the sides, and 100 further for whoever has won; 100 for
        a tie.
        """
        board = self.board
        a, b = board[:6], board[7:13]
        self.end_of_game = (  # flag 5
            board[KA] > self.half
            or board[KB] > self.half
            or not any(a)
            or not any(b)
            or (not a[0] and not b[0] and _out_of_reach(a, b))
        )
        if self.end_of_game:
            a_side, b_side = self.sides
            difference = a_side - b_side
            self.score = difference + (-SURE if difference < 0 else SURE)

    def ev(self) -> int:
        """The estimate of the board (M22-EV).

        With more than 16 stones in the pits, or option 4, ka - kb; otherwise
        the stones on a's side, kalah included, less those on b's, after all
        moves at once, without captures.
        """
        board = self.board
        if sum(board) - board[KA] - board[KB] > FEW_STONES or self.option(4):
            return board[KA] - board[KB]
        a = board[KA]
        for hole in range(MOST_PITS):
            b = board[7 + hole]
            a += STAYING[hole][board[hole]] + b - STAYING[hole][b]
        return 2 * a - sum(board)

    def ord(self) -> int:
        """The possible moves in order, best at right (M22-ORD).

        First those that capture or end in the kalah, then the others; in
        each group the pit nearest to the kalah first.
        """
        ring = RINGS[self.second]
        board = self.board
        good: list[int] = []
        others: list[int] = []
        for pit in range(1, MOST_PITS + 1):
            hole = MOST_PITS - pit
            stones = board[ring[hole]]
            if not stones:
                continue
            last = (hole + stones) % HOLES
            there = board[ring[last]]
            # 13 stones end where they began; up to 13 that come round have
            # put one into the pit opposite.
            first = last <= 6 and (
                last == 6
                or (
                    stones <= HOLES
                    and (not there or stones == HOLES)
                    and (last <= hole or board[ACROSS - ring[last]])
                )
            )
            (good if first else others).append(pit)
        return packed(good + others)

    def og(self, level: int) -> int:
        """The moves in order of the short look-ahead's values, best at right.

        Each move is searched between SAP and SBT; of equals the one that
        ORD prefers comes first.  The depth counts from here, as ID does from
        the root, and may lead below ID.  Without a look-ahead (depth 0 or 1,
        options 6 and 7) the order is 654321, or ORD's if SOR is 1.
        """
        depth = self.td()
        if depth < 2 or self.option(7 if self.second else 6):
            return self.ord() if self.words["SOR"] else UNSORTED
        bottom = level + depth - 1
        sap, sbt = self.words["SAP"], self.words["SBT"]
        pits = list(unpacked(self.ord()))
        values = {pit: self.estimate(pit, level, bottom, sap, sbt) for pit in pits}
        return packed(sorted(pits, key=values.__getitem__, reverse=not self.second))

    def td(self) -> int:
        """The depth of the short look-ahead here (M22-TD)."""
        if not self.option(1):
            return SHORT_DEPTH
        reached = len(self.pdl) if self.option(5) else self.board[KA] + self.board[KB]
        for entry in ("TD", "TD+1", "TD+2", "TD+3"):
            depth, until = entry_of_td(self.words[entry])
            if reached < until:
                return depth
        return 0

    def sm(self, level: int, bottom: int, alpha: int, beta: int) -> int:
        """The value within the limits: the minimax of the short look-ahead."""
        self.node_words += WORDS_OF_A_NODE
        second = self.second
        word = self.ord()
        while word:
            pit = word & 7
            word >>= 3
            if self.postponing and self.pm(pit, level, bottom):
                continue
            value = self.estimate(pit, level, bottom, alpha, beta)
            if second:
                if value <= alpha:
                    beta = alpha
                    break
                beta = min(beta, value)
            else:
                if value >= beta:
                    alpha = beta
                    break
                alpha = max(alpha, value)
        self.node_words -= WORDS_OF_A_NODE
        return beta if second else alpha

    def estimate(self, pit: int, level: int, bottom: int, alpha: int, beta: int) -> int:
        """What the short look-ahead, down to level bottom, says of one move."""
        second = self.second
        self.mv(pit)
        self.count()
        if self.end_of_game:
            value = self.score
        elif level + self.end_of_turn == bottom:
            value = self.ev()
        elif self.gamma_mode and self.adequate(second, alpha, beta):
            value = alpha if second else beta
        else:
            value = self.sm(level + self.end_of_turn, bottom, alpha, beta)
        self.rv()
        return value

    def mm(self, level: int, alpha: int, beta: int, before: str) -> tuple[int, str]:
        """The value within the limits, and the variation that leads to it.

        M22-ALPHABETA: a value outside is replaced by the nearer limit.  The
        first move stands until another is better.  before: the variation
        that led here.
        """
        second = self.second
        node_words = self.node_words
        self.node_words += WORDS_OF_A_NODE
        best = ""
        for pit in unpacked(self.og(level)):
            if not self.board[RINGS[second][MOST_PITS - pit]]:
                continue
            if self.postponing and self.pm(pit, level, self.dp):
                continue
            value, variation, turn_done = self.search(pit, level, alpha, beta, before)
            better = value < beta if second else value > alpha
            if better or not best:
                best = variation
                pits = sum(map(str.isdigit, best))
                self.node_words = node_words + WORDS_OF_A_NODE + pits
            if level == 1 and turn_done and (better or not self.best):
                self.best = before + variation
            if better and turn_done:
                self.watch.better(level, before + variation, value)
            if second:
                beta = min(beta, value)
            else:
                alpha = max(alpha, value)
            if alpha == beta:
                break
        self.node_words = node_words
        return (beta if second else alpha), best

    def search(
        self, pit: int, level: int, alpha: int, beta: int, before: str
    ) -> tuple[int, str, bool]:
        """The value of a move within the limits, the variation that begins
        with it, and whether it ends the turn."""
        second = self.second
        self.mv(pit)
        self.count()
        self.p_ef += 1
        below = level + self.end_of_turn
        turn_done = bool(self.end_of_turn or self.end_of_game)
        dash = "-" if second == self.root_second else ","
        step = f"{pit}{dash}" if self.end_of_turn else str(pit)
        here = before + step
        if level == 1 and turn_done:
            self.watch.move(here)
        if self.displaying:
            self.display.dot(below)
        rest, deeper = "", False
        if self.end_of_game:
            value = self.mms(self.score, alpha, beta, here)
        elif below == self.dp:
            value = self.mms(self.ev(), alpha, beta, here)
        elif self.gamma_mode and self.adequate(second, alpha, beta):
            value = alpha if second else beta
        else:
            deeper = True
        # The photographs halt when the last position of a line is evaluated,
        # before anything behind it is searched.
        if self.halting and self.display.line_full:
            self.watch.photo_halt(self.display.lines_full)
        if deeper:
            value, rest = self.mm(below, alpha, beta, here)
        if turn_done and (level == 2 or (level == 1 and not deeper)):
            self.prp(here + rest, value)
        self.rv()
        return value, step + rest, turn_done

    def mms(self, value: int, alpha: int, beta: int, variation: str) -> int:
        """The value of an evaluated position, brought within the limits.

        XMV: every Y-th of them gets a marker on the display.
        """
        self.leaves += 1
        marker = ""
        if self.displaying and self.leaves % self.words["Y"] == 0:
            marker = self.display.mark()
        self.watch.leaf(variation, value, marker)
        return max(alpha, min(beta, value))

    def prp(self, variation: str, value: int) -> None:
        """Report a reply with the efforts since the last report."""
        ef, p_ef = self.told
        self.told = self.ef, self.p_ef
        self.watch.reply(variation, self.ef - ef, self.p_ef - p_ef, value)

    def adequate(self, second: int, alpha: int, beta: int) -> bool:
        """Whether the board as it stands lets that side stop here (M22-GAMMA).

        Gamma mode trusts EV: a move whose estimate is gamma past the limit
        that would end the search there (beta for a, alpha for b) is not
        looked into.  Only while alpha < 0 < beta, so never in a proof.
        """
        if not alpha < 0 < beta:
            return False
        gamma = self.words["GM"]
        return self.ev() <= alpha - gamma if second else self.ev() >= beta + gamma

    def pm(self, pit: int, level: int, bottom: int) -> bool:
        """Whether the move can be made later with exactly the same effect.

        Option 3 leaves such a move out (M22-PM): whatever it leads to is
        found behind the other moves as well.  Only a single stone in pit 1
        qualifies.  It goes home, and its side moves again; a move from any
        other pit changes the pits in front of it, and so what can follow.

        The rule is strict: it changes no value.  The stone can be moved in
        the next turn instead, with the same effect, if

        - no move touches it until then.  No own pit reaches pit 1, and none
          of the opponent's gets enough stones in one turn to come round to
          it.  (Each repeat move over a pit takes its number of stones, and
          one more, from the pits behind it.)
        - the game cannot end differently meanwhile.  The stone and the best
          capture make no majority.  The row does not become empty, unless
          the opponent captures; then the stone's move ends the game anyhow.
        - the next turn lies above the bottom of the search; or EV counts
          the stone as home in any case, and the row cannot become empty.

        The memo says that this saves a considerable amount of time.  The
        strict rule saves 0 to 5 percent of the positions, and 30 in an
        ending that suits it.  With PM 1 a loose rule is taken: a single
        stone in pit 1 waits as long as there is any other move.  It saves
        half of the positions in endings, from 44 to 62 percent, but changes
        values: the stone may be lost, or still lie there at the bottom.  In
        the proof it saves 28 percent or costs 36, as the moves are ordered.
        The note on the printed run, "same for 200,225 in this instance",
        speaks for the strict rule if it means OP: with option 3 on, in 225,
        the strict rule leaves the whole run as printed; the loose one gives
        TE649 and another variation.
        tests/bench/russel.py measures both.
        """
        if pit != 1:
            return False
        first = 7 if self.second else 0
        own = self.board[first : first + MOST_PITS]
        if own[5] != 1:
            return False
        if self.words["PM"]:
            return any(own[:5])
        if any(count > 4 - hole for hole, count in enumerate(own[:5])):
            return False
        other = self.board[7 - first : 7 - first + MOST_PITS]
        filled = sum(map(bool, own[:5]))
        in_play = sum(own) + sum(other)
        counted = in_play <= FEW_STONES and not self.option(4)
        if not ((filled >= 2 and bottom - level >= 3) or (filled >= 3 and counted)):
            return False
        if 2 * (self.board[first + 6] + 2 + max(other)) > sum(self.board):
            return False
        behind = 0
        for hole, count in enumerate(other):
            number = MOST_PITS - hole
            if count + behind // (number + 1) > number + 5:
                return False
            behind += count
        return True

    def count(self) -> None:
        """Count a position.  Raises Stopped when the work shall end."""
        self.ef += 1
        if not self.ef % POLL_EFFORT and self.stop():
            raise Stopped


def entry_of_td(word: int) -> tuple[int, int]:
    """The depth of an entry of TD, and the moves or stones until which it holds.

    The memo's list of constants has x00yyy, its initial values x0yyy, as in
    50010; both are taken: a word of six digits is read the first way.
    """
    depth = word >> 12
    return depth >> 3 if depth > 7 else depth, word & 0o777


def packed(pits: Sequence[int]) -> int:
    """The pits as a word of octal digits, the first at right."""
    word = 0
    for pit in reversed(pits):
        word = word << 3 | pit
    return word


def unpacked(word: int) -> Iterator[int]:
    """The pits of such a word, the rightmost first."""
    while word:
        yield word & 7
        word >>= 3


def _out_of_reach(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether both can bring home what they have, whatever the other does.

    Rows from pit 6 to pit 1.  That is so when no pit with stones, nor any
    in front of one, lies opposite to such a pit of the other side, and no
    pit sends a stone past its own kalah.
    """
    return (
        _highest(a) + _highest(b) <= MOST_PITS
        and all(stones <= MOST_PITS - hole for hole, stones in enumerate(a))
        and all(stones <= MOST_PITS - hole for hole, stones in enumerate(b))
    )


def _highest(row: Sequence[int]) -> int:
    """The number of the farthest pit with stones."""
    return next(MOST_PITS - hole for hole, stones in enumerate(row) if stones)
