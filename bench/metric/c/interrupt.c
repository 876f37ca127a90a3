/* A thread causes an interrupt whose handler signals a semaphore, which the thread then takes.

   Nothing of an application runs inside of an interrupt here. So there are three programs: a call in the interrupt's place; an interrupt
   whose signal is a bit of the thread's own word, set by the kernel where another system's handler would be; and one whose handler is a
   more urgent thread, which is resumed, signals and suspends itself. The same thread, without a signal, is what another program's interrupt
   preempts its own by. */
#include "device.h"
#include "metric.h"

static volatile uint32_t handled;
static volatile uint32_t count;

static void check(beryl_status status) {
    bool holds = status == BERYL_SUCCESS && handled == SAMPLES * ROUNDS && count == SAMPLES * ROUNDS;
    metric_must(holds, "interrupt: not each was handled once");
    handled = 0;
    count = 0;
}

/* In the interrupt's place. */
INSIDE beryl_status handler(signalled_semaphore *semaphore) {
    handled++;
    return signalled_signal(semaphore);
}

void called(signalled_semaphore *semaphore) {
    beryl_status all = BERYL_SUCCESS;
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            all |= handler(semaphore);
            all |= signalled_wait(semaphore, BERYL_FOREVER);
            count++;
        }
        metric_sample("metric/interrupt/called", before, ticks());
    }
    check(all);
}

/* The thread that the interrupt belongs to causes it itself, before it serves it for others. */
static void own(transmitter_interrupt *transmitter) {
    beryl_status all = BERYL_SUCCESS;
    for (int sample = 0; sample < SAMPLES; sample++) {
        device_may_interrupt(true);
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            transmitter_acknowledge(transmitter);
            device_cause();
            all |= transmitter_wait(transmitter, BERYL_POLL);
            device_quiet();
            handled++;
            count++;
        }
        uint32_t after = ticks();
        device_may_interrupt(false);
        metric_sample("metric/interrupt/own", before, after);
    }
    check(all);
}

/* While `caused` runs it signals; while `preempted` does, it only counts. */
void served(transmitter_interrupt *transmitter, signalled_semaphore *semaphore) {
    own(transmitter);
    for (uint32_t left = SAMPLES * ROUNDS; left != 0; left--) {
        transmitter_wait(transmitter, BERYL_FOREVER);
        device_quiet();
        handled++;
        signalled_signal(semaphore);
    }
    for (;;) {
        transmitter_wait(transmitter, BERYL_FOREVER);
        device_quiet();
        handled++;
    }
}

/* The less urgent thread that causes the interrupt, and takes what its handler gives. */
void caused(signalled_semaphore *semaphore) {
    beryl_status all = BERYL_SUCCESS;
    for (int sample = 0; sample < SAMPLES; sample++) {
        device_may_interrupt(true);
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            device_cause();
            all |= signalled_wait(semaphore, BERYL_FOREVER);
            count++;
        }
        uint32_t after = ticks();
        device_may_interrupt(false);
        metric_sample("metric/interrupt/server", before, after);
    }
    check(all);
}

/* The interrupt resumes a more urgent thread, which suspends itself again. */
void preempted(void) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        device_may_interrupt(true);
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            device_cause();
            count++;
        }
        uint32_t after = ticks();
        device_may_interrupt(false);
        metric_sample("metric/interrupt-preemption", before, after);
    }
    check(BERYL_SUCCESS);
}
