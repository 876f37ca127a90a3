/* conformance/app/src/timeouts.rs in C. */
#include "work.h"

void notifier(beryl_period *period, first_notifier *first, second_notifier *second) {
    for (uint32_t job = 0;; job++) {
        work(330);
        if (job % 3 == 0) {
            first_notify(first);
        } else if (job % 3 == 1) {
            second_notify(second);
        }
        work(110);
        next(period);
    }
}

void waiter(first_notification *first) {
    for (;;) {
        work(first_wait(first, 5300 * MICROSECOND) == BERYL_SUCCESS ? 240 : 870);
    }
}

void waits_for_any(second_notification *second, third_notification *third) {
    for (;;) {
        uint32_t set = 0;
        beryl_wait_any(second_bits(second) | third_bits(third), BERYL_FOREVER, &set);
        work(set & second_bits(second) ? 190 : 410);
    }
}

void sleeper(third_notifier *third) {
    for (uint64_t instant = 7100 * MICROSECOND;; instant += 7100 * MICROSECOND) {
        beryl_sleep_until(instant);
        work(520);
        third_notify(third);
    }
}
