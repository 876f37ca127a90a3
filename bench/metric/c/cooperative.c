/* Five threads of one priority take turns: each counts and yields. */
#include "metric.h"

static volatile uint32_t counts[5];

/* Whoever comes back last is at most one ahead of, or behind, the others. */
static void check(void) {
    for (int one = 0; one < 5; one++) {
        uint32_t ahead = counts[one] - SAMPLES * ROUNDS + 1;
        metric_must(ahead <= 2, "cooperative: a thread had more turns than another");
    }
}

INSIDE void take_turns(int me, uint32_t rounds) {
    for (uint32_t left = rounds; left != 0; left--) {
        counts[me]++;
        beryl_yield();
    }
}

void cooperative_0(void) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        take_turns(0, ROUNDS);
        metric_sample("metric/cooperative", before, ticks());
    }
    check();
}

void cooperative_1(void) {
    take_turns(1, SAMPLES * ROUNDS);
}

void cooperative_2(void) {
    take_turns(2, SAMPLES * ROUNDS);
}

void cooperative_3(void) {
    take_turns(3, SAMPLES * ROUNDS);
}

void cooperative_4(void) {
    take_turns(4, SAMPLES * ROUNDS);
}
