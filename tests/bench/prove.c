/* Prove values of Kalah under perfect play.

       cc -O3 -o prove prove.c
       prove PITS CAPTURES_EMPTY DATABASE_STONES TABLE_BITS

   Each line read is a position: ALL or BEST, the mover's pits from 1 up, and the other
   player's.  Each line written has three parts, separated by semicolons: the value of
   each of the mover's pits, - for an empty pit and ? for a move that BEST left open;
   the pits of a perfect game; the number of positions searched.  A value is the
   number of stones that the mover gains from here on, less the other player's.
   LEAST, a position and a number ask whether its value is at least that: 1 or 0.

   The rules are those of sail/board.py, without the majority ending.  The search is
   alpha-beta with a null window (MTD(f)) to the end of the game, with a transposition
   table and an endgame database in memory.  The table holds positions in full, so it
   never takes one for another.  */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PITS = 6,
    MOST_STONES = 60,
    FAR = 1000,          /* beyond any value */
    TO_THE_END = 100000, /* submoves; longer than any game */
    GUESS = 8,           /* submoves of the search that makes the first guess */
    BUCKET = 4,          /* proofs that share a place in the table */
    UNKNOWN = 127,       /* no value yet in the database */
    BIAS = 64            /* added to a value so that it is positive */
};

typedef uint64_t Row; /* a byte a pit, pit 1 lowest; the two highest bytes are 0 */

#define ONES UINT64_C(0x010101010101)
#define HIGHEST UINT64_C(0x808080808080)
#define DISTANCES UINT64_C(0x060504030201)
#define ROW UINT64_C(0xffffffffffff)

static int pits;
static bool captures_empty;
static long effort;

static int count_in(Row row, int pit) { return row >> 8 * pit & 255; }

static int stones_in(Row row) { return (row * ONES & ROW) >> 40; }

/* Moves.  A pit is a number from 0 here.  */

enum { KALAH = -1, OTHER_SIDE = -2 };

static struct { /* what sowing adds to the rows and the kalah, and where it ends */
    Row own, other;
    int gain, last;
} sowing[MOST_PITS][MOST_STONES + 1];

typedef struct {
    Row own, other; /* the rows of the mover and of the other player */
    int gain;
    bool again; /* the mover's turn goes on */
} After;

static void prepare_sowing(void)
{
    for (int pit = 0; pit < pits; pit++) {
        int hole = pits - 1 - pit; /* the mover's pits, his kalah, the other's pits */
        Row own = 0, other = 0;
        int gain = 0;
        for (int count = 1; count <= MOST_STONES; count++) {
            hole = (hole + 1) % (2 * pits + 1);
            if (hole < pits)
                own += UINT64_C(1) << 8 * (pits - 1 - hole);
            else if (hole == pits)
                gain++;
            else
                other += UINT64_C(1) << 8 * (2 * pits - hole);
            sowing[pit][count].own = own;
            sowing[pit][count].other = other;
            sowing[pit][count].gain = gain;
            sowing[pit][count].last = hole < pits    ? pits - 1 - hole
                                      : hole == pits ? KALAH
                                                     : OTHER_SIDE;
        }
    }
}

static After play(Row own, Row other, int pit)
{
    int count = count_in(own, pit);
    int last = sowing[pit][count].last;
    After after;
    after.own = own - ((Row)count << 8 * pit) + sowing[pit][count].own;
    after.other = other + sowing[pit][count].other;
    after.gain = sowing[pit][count].gain;
    after.again = last == KALAH;
    if (last >= 0 && count_in(after.own, last) == 1) {
        int opposite = pits - 1 - last;
        int taken = count_in(after.other, opposite);
        if (taken || captures_empty) {
            after.own -= UINT64_C(1) << 8 * last;
            after.other -= (Row)taken << 8 * opposite;
            after.gain += taken + 1;
        }
    }
    return after;
}

/* The endgame database: the values of all positions with few stones in play, also of
   those with an empty row.  */

static int database_stones;
static int8_t *database;
static uint32_t ranks[2 * MOST_PITS][MOST_STONES + 1];

static size_t choose(int n, int k)
{
    size_t ways = 1;
    for (int i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

/* The positions are numbered without gaps by the sums of their first 1, 2, ... pits.  */
static size_t number_of(Row own, Row other)
{
    Row sums = own * ONES, others = other * ONES + (sums >> 40 & 255) * ONES;
    size_t number = 0;
    for (int pit = 0; pit < pits; pit++)
        number += ranks[pit][sums >> 8 * pit & 255]
                  + ranks[pits + pit][others >> 8 * pit & 255];
    return number;
}

static int settle(Row own, Row other)
{
    int8_t *entry = &database[number_of(own, other)];
    if (*entry != UNKNOWN)
        return *entry;
    int best = -FAR;
    if (!own || !other)
        best = stones_in(own) - stones_in(other);
    else
        for (int pit = 0; pit < pits; pit++)
            if (count_in(own, pit)) {
                After to = play(own, other, pit);
                int value = to.again ? to.gain + settle(to.own, to.other)
                                     : to.gain - settle(to.other, to.own);
                if (value > best)
                    best = value;
            }
    return *entry = best;
}

/* Settle all positions that have `stones` more stones in the first `places` pits.  The
   order is that of their numbers, to save time.  */
static void settle_all(Row own, Row other, int places, int stones)
{
    int pit = (places - 1) % pits;
    if (places == 1)
        settle(own + stones, other);
    else
        for (int count = 0; count <= stones; count++) {
            Row added = (Row)count << 8 * pit;
            if (places > pits)
                settle_all(own, other + added, places - 1, stones - count);
            else
                settle_all(own + added, other, places - 1, stones - count);
        }
}

static void build_database(void)
{
    for (int place = 0; place < 2 * pits; place++)
        for (int sum = 0; sum <= database_stones; sum++)
            ranks[place][sum] = choose(sum + place, place + 1);
    size_t size = choose(database_stones + 2 * pits, 2 * pits);
    database = malloc(size);
    if (!database)
        exit(1);
    memset(database, UNKNOWN, size);
    for (int stones = 0; stones <= database_stones; stones++)
        settle_all(0, 0, 2 * pits, stones);
}

/* The transposition table.  A proof is both rows, each with two bytes on top: the lower
   bound and the effort of the search as a power of two; the upper bound.  */

typedef struct {
    uint64_t own, other;
} Proof;

static Proof *table;
static int table_bits;

static Proof *bucket(Row own, Row other)
{
    uint64_t mixed = own * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29 ^ other) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x94d049bb133111eb);
    return &table[(mixed >> (64 - table_bits)) * BUCKET];
}

/* Narrow the bounds of the value by what is proved.  */
static void look_up(Row own, Row other, int *low, int *high)
{
    Proof *proof = bucket(own, other);
    for (int i = 0; i < BUCKET; i++, proof++)
        if ((proof->own & ROW) == own && (proof->other & ROW) == other) {
            *low = (int)(proof->own >> 48 & 255) - BIAS;
            *high = (int)(proof->other >> 48) - BIAS;
            return;
        }
}

static void remember(Row own, Row other, int in_play, int bound, int beta, long searched)
{
    int low = -in_play, high = in_play;
    look_up(own, other, &low, &high);
    if (bound >= beta)
        low = bound;
    else
        high = bound;
    uint64_t power = 64 - __builtin_clzll(searched);
    Proof *proof = bucket(own, other), *place = proof;
    for (int i = 0; i < BUCKET; i++, proof++) {
        if ((proof->own & ROW) == own && (proof->other & ROW) == other) {
            place = proof;
            break;
        }
        if (proof->own >> 56 < place->own >> 56)
            place = proof;
    }
    place->own = own | (uint64_t)(low + BIAS) << 48 | power << 56;
    place->other = other | (uint64_t)(high + BIAS) << 48;
}

/* The search.  */

/* The pits whose last stone falls into the kalah, lapping sowings left out, as the
   highest bits of their bytes.  */
static Row repeats_in(Row row)
{
    Row differing = row ^ DISTANCES;
    return ~(((differing & ~HIGHEST) + ~HIGHEST) | differing) & HIGHEST;
}

/* Return a number of stones that the owner of a row gains in his turn at the least.  */
static int sure_of(Row row)
{
    int stones = 0;
    Row repeats;
    while ((repeats = repeats_in(row))) {
        int pit = __builtin_ctzll(repeats) / 8;
        row -= (Row)(pit + 1) << 8 * pit;
        row += ONES & ((UINT64_C(1) << 8 * pit) - 1);
        stones++;
    }
    return stones + ((((row | HIGHEST) - DISTANCES) & HIGHEST) != 0);
}

typedef struct {
    After to;
    int order; /* the lowest is searched first */
} Move;

/* Return a bound of the value: a lower one if it is at least beta, otherwise an upper
   one.  Neither row is empty.  At depth 0 the value counts as 0.  */
static int test(Row own, Row other, int in_play, int beta, int depth)
{
    if (!depth)
        return 0;
    long begun = effort++;
    Move moves[MOST_PITS];
    int number = 0, best = -FAR;
    for (int pit = 0; pit < pits; pit++) {
        if (!count_in(own, pit))
            continue;
        After to = play(own, other, pit);
        int stones = in_play - to.gain, low = -stones, high = stones;
        if (!to.own)
            low = high = to.gain - stones;
        else if (!to.other)
            low = high = to.gain + stones;
        else if (stones <= database_stones)
            low = high = to.gain
                         + (to.again ? database[number_of(to.own, to.other)]
                                     : -database[number_of(to.other, to.own)]);
        else if (to.again) {
            low = 2 * sure_of(to.own) - stones;
            if (to.gain + low < beta && beta <= to.gain + high) {
                int proved = low;
                look_up(to.own, to.other, &proved, &high);
                low = proved > low ? proved : low;
            }
            low += to.gain, high += to.gain;
        } else {
            int sure = 2 * sure_of(to.other) - stones;
            if (beta <= to.gain - sure) {
                int proved = sure;
                look_up(to.other, to.own, &proved, &high);
                sure = proved > sure ? proved : sure;
            }
            low = to.gain - high, high = to.gain - sure;
        }
        if (low >= beta)
            return low;
        if (high >= beta) {
            int order = to.again ? pit - FAR * to.gain
                                 : 3 * pit - 10 * to.gain
                                       + 10 * stones_in(repeats_in(to.other) >> 7);
            int place = number++;
            for (; place && moves[place - 1].order > order; place--)
                moves[place] = moves[place - 1];
            moves[place] = (Move){to, order};
        } else if (high > best)
            best = high;
    }
    for (int i = 0; i < number && best < beta; i++) {
        After to = moves[i].to;
        int stones = in_play - to.gain;
        int value = to.again
                        ? to.gain + test(to.own, to.other, stones, beta - to.gain, depth - 1)
                        : to.gain - test(to.other, to.own, stones, to.gain - beta + 1, depth - 1);
        if (value > best)
            best = value;
    }
    if (depth > GUESS)
        remember(own, other, in_play, best, beta, effort - begun);
    return best;
}

static int value_of(Row own, Row other)
{
    int in_play = stones_in(own) + stones_in(other);
    if (!own || !other)
        return stones_in(own) - stones_in(other);
    if (in_play <= database_stones)
        return database[number_of(own, other)];
    int low = -in_play, high = in_play, near = 0;
    while (low < high) { /* of a shallow search */
        int bound = test(own, other, in_play, near, GUESS);
        if (bound >= near)
            low = bound, near = bound + 1;
        else
            high = near = bound;
    }
    low = -in_play, high = in_play;
    look_up(own, other, &low, &high);
    while (low < high) { /* all values have the parity of the stones in play */
        int beta = near + ((near ^ low) & 1);
        beta = beta > high ? high : beta;
        beta = beta < low + 2 ? low + 2 : beta;
        near = test(own, other, in_play, beta, TO_THE_END);
        if (near >= beta)
            low = near;
        else
            high = near;
    }
    return low;
}

static int value_after(After to)
{
    return to.gain + (to.again ? value_of(to.own, to.other) : -value_of(to.other, to.own));
}

/* Return whether a move is worth at least `beta`.  */
static bool reaches(After to, int beta)
{
    int stones = stones_in(to.own) + stones_in(to.other);
    if (!to.own || !to.other || stones <= database_stones)
        return value_after(to) >= beta;
    if (to.again)
        return to.gain + test(to.own, to.other, stones, beta - to.gain, TO_THE_END) >= beta;
    return to.gain - test(to.other, to.own, stones, to.gain - beta + 1, TO_THE_END) >= beta;
}

/* Return the pit of a perfect move.  Repeat moves come first.  */
static int best_pit(Row own, Row other, int value)
{
    for (int again = 1; again >= 0; again--)
        for (int pit = 0; pit < pits; pit++)
            if (count_in(own, pit)) {
                After to = play(own, other, pit);
                if (to.again == again && reaches(to, value))
                    return pit;
            }
    fprintf(stderr, "no move has the proved value %d\n", value);
    exit(1);
}

static void print_game(Row own, Row other, int value)
{
    while (own && other) {
        int pit = best_pit(own, other, value);
        After to = play(own, other, pit);
        printf(" %d", pit + 1);
        value -= to.gain;
        if (to.again)
            own = to.own, other = to.other;
        else
            own = to.other, other = to.own, value = -value;
    }
}

static void answer(Row own, Row other, bool all)
{
    long begun = effort;
    int value = value_of(own, other);
    int best = best_pit(own, other, value);
    for (int pit = 0; pit < pits; pit++)
        if (!count_in(own, pit))
            printf(" -");
        else if (all)
            printf(" %d", value_after(play(own, other, pit)));
        else if (pit == best)
            printf(" %d", value);
        else
            printf(" ?");
    printf(" ;");
    print_game(own, other, value);
    printf(" ; %ld\n", effort - begun);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    if (count != 5)
        return 2;
    pits = atoi(arguments[1]);
    captures_empty = atoi(arguments[2]);
    database_stones = atoi(arguments[3]);
    table_bits = atoi(arguments[4]);
    prepare_sowing();
    build_database();
    table = calloc((size_t)BUCKET << table_bits, sizeof *table);
    if (!table)
        return 1;
    char word[8];
    while (scanf("%7s", word) == 1) {
        Row rows[2] = {0, 0};
        for (int place = 0; place < 2 * pits; place++) {
            int stones;
            if (scanf("%d", &stones) != 1)
                return 2;
            rows[place / pits] |= (Row)stones << 8 * (place % pits);
        }
        int beta;
        if (strcmp(word, "LEAST")) {
            answer(rows[0], rows[1], !strcmp(word, "ALL"));
        } else if (scanf("%d", &beta) == 1) {
            printf("%d\n", reaches((After){rows[0], rows[1], 0, true}, beta));
            fflush(stdout);
        }
    }
    return 0;
}
