/* A bench of two threads: the more urgent one waits, the other lets it go on, and is overtaken within its call. */
#pragma once
#include "measured.h"

/* When the thread that waited was through with its call. */
extern volatile uint32_t woken;

/* From before the call that wakes to behind the call that waited; and to where the waker goes on, after the other waits again. The last round
   is no sample: what the other does then is something else. */
#define WAKES(name, call)                                         \
    for (uint32_t sample = 0; sample <= SAMPLES; sample++) {      \
        const uint32_t before = ticks();                          \
        const uint32_t came = (call);                             \
        const uint32_t after = ticks();                           \
        metric_must(came == 0, #call);                            \
        if (sample < SAMPLES) {                                   \
            metric_sample(name, before, woken);                   \
            metric_sample(name "/back", before, after);           \
        }                                                         \
    }

#define WAITS(call)                                               \
    for (uint32_t sample = 0; sample <= SAMPLES; sample++) {      \
        const uint32_t came = (call);                             \
        woken = ticks();                                          \
        metric_must(came == 0, #call);                            \
    }

/* A mutex that its owner gives back while the more urgent one asks for it: from before it is given to where the other has it. `begin` lets
   the other ask. */
#define HANDS_OVER(name, take, begin, give)                       \
    for (uint32_t sample = 0; sample <= SAMPLES; sample++) {      \
        WELL(take);                                               \
        WELL(begin);                                              \
        const uint32_t before = ticks();                          \
        const uint32_t came = (give);                             \
        metric_must(came == 0, #give);                            \
        if (sample < SAMPLES) {                                   \
            metric_sample(name, before, woken);                   \
        }                                                         \
    }

#define IS_GIVEN(begin, take, give)                               \
    for (uint32_t sample = 0; sample <= SAMPLES; sample++) {      \
        WELL(begin);                                              \
        const uint32_t came = (take);                             \
        woken = ticks();                                          \
        metric_must(came == 0, #take);                            \
        WELL(give);                                               \
    }

/* What answers nothing. */
#define SILENT(call) ((call), 0)
