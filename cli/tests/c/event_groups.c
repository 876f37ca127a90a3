/* conformance/app/src/event_groups.rs in C. */
#include "work.h"

void readying(beryl_period *period, ready_source *ready, board_semaphore *board) {
    uint32_t job = 0;
    for (;;) {
        work(240);
        ready_set(ready, UINT32_C(1) << (job % 3));
        work(170);
        if (job % 3 == 2 && board_wait(board, BERYL_FOREVER) <= BERYL_OWNER_DIED) {
            ready_set(ready, 0x10);
            work(210);
            board_signal(board);
        }
        job++;
        work(130);
        next(period);
    }
}

void gathering(ready_waiter *ready) {
    for (;;) {
        uint32_t bits;
        if (ready_take_all(ready, 3, BERYL_FOREVER, &bits) == BERYL_SUCCESS) {
            beryl_tell(1, bits);
        }
        work(420);
    }
}

void hasty(ready_waiter *ready) {
    for (;;) {
        uint32_t bits;
        if (ready_take_any(ready, 12, 4700 * MICROSECOND, &bits) == BERYL_SUCCESS) {
            beryl_tell(2, bits);
            work(510);
        } else {
            beryl_tell(2, UINT32_MAX);
            work(830);
        }
    }
}

void keeping(beryl_period *period, ready_source *ready, ready_waiter *seen) {
    for (;;) {
        work(310);
        ready_set(ready, 8);
        work(120);
        uint32_t found = 0;
        ready_wait_any(seen, UINT32_MAX, BERYL_POLL, &found);
        beryl_tell(4, found);
        beryl_tell(5, ready_clear(ready, 9));
        work(150);
        next(period);
    }
}
