/* What the programs share: how often, readings of the timer, and what they print. */
#pragma once

/* A sample is so many rounds of a program, so that what surrounds them is nothing in a mean. */
enum { SAMPLES = 100, ROUNDS = 100 };

/* A sample on the console. */
void metric_sample(const char *name, uint32_t before, uint32_t after);

/* Says that something isn't as it must be, which no measurement survives, and stops the calling thread. */
_Noreturn void metric_broken(const char *what);

/* Of a function that is part of what is measured. */
#define INSIDE static inline __attribute__((always_inline))

INSIDE void metric_must(bool holds, const char *what) {
    if (!holds) {
        metric_broken(what);
    }
}

/* Ticks of 40 ns since the start: TIMER0 counts down. Three instructions, as all readings. */
INSIDE uint32_t ticks(void) {
    uint32_t value;
    __asm__ volatile("movw %0, #0x0004\n\tmovt %0, #0x4000\n\tldr %0, [%0]" : "=r"(value) : : "memory");
    return ~value;
}
