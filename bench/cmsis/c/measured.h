/* A bench: so many rounds of a pair of calls, so many times. */
#pragma once
#include "metric.h"

#define MEASURE(name, pair)                                      \
    for (uint32_t sample = 0; sample < SAMPLES; sample++) {      \
        const uint32_t before = ticks();                         \
        for (uint32_t round = 0; round < ROUNDS; round++) {      \
            pair;                                                \
        }                                                        \
        const uint32_t after = ticks();                          \
        metric_sample(name, before, after);                      \
    }

/* What has to answer zero, as success does in both interfaces. */
#define WELL(call) metric_must((call) == 0, #call)
