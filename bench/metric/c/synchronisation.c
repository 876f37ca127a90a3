/* A thread takes a semaphore that nobody else wants, and gives it back: one that threads of its process share, one that another
   process shares, and one of units, which has no owner. */
#include "metric.h"

static volatile uint32_t count;

static void check(beryl_status status) {
    metric_must(status == BERYL_SUCCESS && count == SAMPLES * ROUNDS, "synchronisation: a semaphore wasn't taken");
}

void within(near_semaphore *semaphore) {
    beryl_status all = BERYL_SUCCESS;
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            all |= near_wait(semaphore, BERYL_FOREVER);
            near_signal(semaphore);
            count++;
        }
        metric_sample("metric/synchronisation/within", before, ticks());
    }
    check(all);
}

void across(far_semaphore *semaphore) {
    beryl_status all = BERYL_SUCCESS;
    count = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            all |= far_wait(semaphore, BERYL_FOREVER);
            far_signal(semaphore);
            count++;
        }
        metric_sample("metric/synchronisation/across", before, ticks());
    }
    check(all);
}

void units(unit_semaphore *semaphore) {
    beryl_status all = BERYL_SUCCESS;
    count = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            all |= unit_wait(semaphore, BERYL_FOREVER);
            all |= unit_signal(semaphore);
            count++;
        }
        metric_sample("metric/synchronisation/units", before, ticks());
    }
    check(all);
}

/* The other users. */
void within_user(near_semaphore *semaphore) {
    near_wait(semaphore, BERYL_FOREVER);
    near_signal(semaphore);
}

void across_user(far_semaphore *semaphore) {
    far_wait(semaphore, BERYL_FOREVER);
    far_signal(semaphore);
}
