/* Using the processor as `conformance/app/src/work.rs` does. */
#pragma once

#define MICROSECOND 25u

static inline void work(uint64_t microseconds) {
#ifdef __arm__
    uint64_t end = beryl_execution_time() + microseconds * MICROSECOND;
    while (beryl_execution_time() < end) {
    }
#else
    beryl_spend(microseconds * MICROSECOND);
#endif
}

/* Ends a job; how many releases came meanwhile is nobody's business. */
static inline void next(beryl_period *period) {
    uint32_t missed;
    beryl_wait_period(period, &missed);
}
