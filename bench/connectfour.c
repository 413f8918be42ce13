/* Plain alpha-beta search of Connect Four with bitboards and a transposition table, to compare speeds with the solver.

   usage: connectfour COLUMNS, such as 4431: the columns played, from 1. Prints the value for the player to move
   (1, 0, -1), the positions searched and the seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SLOTS (1u << 22)
typedef struct { uint64_t key; int8_t low, high; } Slot;
static Slot *table;
static uint64_t searched;
static const int order[7] = {3, 2, 4, 1, 5, 0, 6};

static int four(uint64_t own) {
    for (int shift = 1; shift <= 8; shift += shift == 1 ? 5 : 1) {
        uint64_t two = own & (own >> shift);
        if (two & (two >> (2 * shift))) return 1;
    }
    return 0;
}

static int search(uint64_t own, uint64_t all, int low, int high) {
    searched++;
    if (all == 0xFDFBF7EFDFBFULL) return 0; /* all 42 cells */
    uint64_t key = own + all + 0x1020408102041ULL;
    Slot *slot = &table[(key * 0x9E3779B97F4A7C15ULL) >> 42];
    if (slot->key == key) {
        if (slot->low >= high) return slot->low;
        if (slot->high <= low) return slot->high;
        if (slot->low > low) low = slot->low;
        if (slot->high < high) high = slot->high;
    }
    int best = -2, first = low;
    for (int i = 0; i < 7; i++) {
        uint64_t move = (all + (1ULL << (7 * order[i]))) & (0x3FULL << (7 * order[i])) & ~all;
        if (!move) continue;
        int value = four(own | move) ? 1 : -search(all ^ own, all | move, -high, -(low > best ? low : best));
        if (value > best) best = value;
        if (best >= high) break;
    }
    if (slot->key != key) *slot = (Slot){key, -1, 1};
    if (best > first) slot->low = best > slot->low ? best : slot->low;
    if (best < high) slot->high = best < slot->high ? best : slot->high;
    return best;
}

int main(int count, char **words) {
    uint64_t own = 0, all = 0;
    table = calloc(SLOTS, sizeof(Slot));
    for (const char *c = count > 1 ? words[1] : ""; *c; c++) {
        uint64_t move = (all + (1ULL << (7 * (*c - '1')))) & (0x3FULL << (7 * (*c - '1'))) & ~all;
        own = all ^ own; /* the stones of the other player, who moves next */
        all |= move;
    }
    clock_t began = clock();
    int value = search(own, all, -1, 1);
    printf("%d %llu %.6f\n", value, (unsigned long long)searched, (double)(clock() - began) / CLOCKS_PER_SEC);
    free(table);
    return 0;
}
