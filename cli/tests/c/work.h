/* Using the processor as `conformance/app/src/work.rs` does. */
#pragma once

/* Ticks. */
#define MICROSECOND (1000u / BERYL_TICK)

static inline void work(uint64_t microseconds) {
#if defined __arm__ || defined __riscv
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
