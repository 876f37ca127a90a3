/* What the files of the library share. */
#pragma once
#include "cmsis_pools.h"

/* A millisecond, in the kernel's ticks. */
#define CMSIS_TICK BERYL_MS(1)

/* In the last bit of a thread's flags: it has ended. */
#define CMSIS_ENDED UINT32_C(0x80000000)

/* Of what is shorter than a call. */
#define CMSIS_SHORT static inline __attribute__((always_inline))

/* Short sections that all threads of the pool keep out of. */
CMSIS_SHORT uint32_t cmsis_enter(void) {
    uint32_t before = 0;
    beryl_lock_enter(cmsis_guard, &before);
    return before;
}

CMSIS_SHORT void cmsis_leave(uint32_t before) {
    beryl_lock_leave(cmsis_guard, before);
}

/* A free row, taken by its name; null if none is free. */
void *cmsis_taken(void *rows, uint32_t count, uint32_t bytes, const char *name);
/* Of those that have places: the free one with the least memory that is enough. */
void *cmsis_taken_with(void *rows, uint32_t count, uint32_t bytes, uint64_t least, const char *name);
CMSIS_SHORT bool cmsis_is(const struct cmsis_row *row) {
    return row != 0 && row->is_taken;
}

beryl_wait cmsis_waiting(uint32_t timeout);
/* What a wait has come to, beside success. */
osStatus_t cmsis_failed(beryl_status status, uint32_t timeout);
/* The caller, if it is one of the pool, is about to wait for something, or for nothing any more. */
CMSIS_SHORT void cmsis_waits(osThreadId_t own, const void *what) {
    if (own != 0) {
        own->waits_for = what;
    }
}
/* Whether a thread of the pool waits for something. Inside the guard, so none begins to meanwhile. */
bool cmsis_is_awaited(const void *what);

void cmsis_fill(struct cmsis_units *units, uint32_t most, uint32_t there);
osStatus_t cmsis_take(struct cmsis_units *units, uint32_t timeout);
/* The same, after which the caller is inside the guard if it has one. */
osStatus_t cmsis_take_inside(struct cmsis_units *units, uint32_t timeout, uint32_t *before);
/* Inside the guard, one more unit; whether its gate is to be signalled outside. */
static inline bool cmsis_add(struct cmsis_units *units) {
    const bool waits = units->waiters > 0;
    units->waiters -= waits;
    units->there += !waits;
    return waits;
}
/* False if there are as many as there may be. */
bool cmsis_give(struct cmsis_units *units);
/* Frees a row, unless somebody waits for its units: what a queue has two of, others have once and name twice. */
osStatus_t cmsis_delete(struct cmsis_row *row, const struct cmsis_units *units, const struct cmsis_units *others);

/* Both answer all flags: as they are then, as they were before. */
uint32_t cmsis_set_flags(const beryl_event_group *group, uint32_t flags);
uint32_t cmsis_clear_flags(const beryl_event_group *group, uint32_t flags);
/* As the caller, who waits for the group meanwhile. */
uint32_t cmsis_await_flags(osThreadId_t own, const beryl_event_group *group, uint32_t flags, uint32_t options, uint32_t timeout);

/* Opens the gates of all threads that were made before the kernel started. */
void cmsis_open_gates(void);
bool cmsis_has_started(void);
/* Gives up the mutexes of a thread that ends, if they are robust. */
void cmsis_give_up(osThreadId_t thread);
