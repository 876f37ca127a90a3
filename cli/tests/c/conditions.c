/* conformance/app/src/conditions.rs in C. */
#include "work.h"

void filler(beryl_period *period, store_semaphore *store, filled_condition *filled) {
    for (uint32_t job = 0;; job++) {
        work(240);
        if (store_wait(store, BERYL_FOREVER) == BERYL_SUCCESS) {
            *store_value(store) += 2;
            work(310);
            if (job % 3 < 2) {
                filled_signal(filled);
            }
            work(150);
            store_signal(store);
        }
        work(170);
        next(period);
    }
}

void waiting(store_semaphore *store, filled_condition *filled) {
    for (;;) {
        if (store_wait(store, BERYL_FOREVER) == BERYL_SUCCESS) {
            int32_t *pieces = store_value(store);
            while (*pieces == 0) {
                filled_wait_in_store(filled, store, BERYL_FOREVER);
            }
            *pieces -= 1;
            beryl_tell(1, (uint32_t)*pieces);
            work(420);
            store_signal(store);
        }
        work(260);
    }
}

void moody(store_semaphore *store, filled_condition *filled) {
    for (;;) {
        if (store_wait(store, BERYL_FOREVER) != BERYL_SUCCESS) {
            continue;
        }
        int32_t *pieces = store_value(store);
        bool has_come =
            *pieces > 0 || filled_wait_in_store(filled, store, 4700 * MICROSECOND) == BERYL_SUCCESS;
        if (has_come && *pieces > 0) {
            *pieces -= 1;
            work(510);
        } else {
            work(830);
        }
        beryl_tell(2, (uint32_t)*pieces);
        store_signal(store);
        work(140);
    }
}

void opener(beryl_period *period, gate_lock *gate, opened_condition *opened) {
    for (;;) {
        work(360);
        *gate_enter(gate) += 1;
        work(130);
        gate_leave(gate);
        opened_broadcast(opened);
        work(220);
        next(period);
    }
}

void passing(gate_lock *gate, opened_condition *opened) {
    for (int32_t last = 0;;) {
        int32_t *times = gate_enter(gate);
        while (*times == last) {
            opened_wait_in_gate(opened, gate, BERYL_FOREVER);
        }
        last = *times;
        gate_leave(gate);
        beryl_tell(3, (uint32_t)last);
        work(390);
    }
}
