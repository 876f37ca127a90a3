/* conformance/app/src/inheritance.rs in C. */
#include "work.h"

void low(beryl_period *period, shared_semaphore *shared) {
    for (;;) {
        if (shared_wait(shared, BERYL_FOREVER) == BERYL_SUCCESS) {
            work(4000);
            shared_signal(shared);
        }
        work(700);
        next(period);
    }
}

void middle(beryl_period *period) {
    for (;;) {
        work(1500);
        next(period);
    }
}

void top(beryl_period *period, shared_semaphore *shared) {
    for (;;) {
        work(300);
        if (shared_wait(shared, BERYL_FOREVER) == BERYL_SUCCESS) {
            work(600);
            shared_signal(shared);
        }
        work(200);
        next(period);
    }
}

void producer(beryl_period *period, units_semaphore *units) {
    for (;;) {
        work(400);
        units_signal(units);
        work(150);
        units_signal(units);
        next(period);
    }
}

void consumer(units_semaphore *units) {
    for (;;) {
        units_wait(units, BERYL_FOREVER);
        work(900);
    }
}
