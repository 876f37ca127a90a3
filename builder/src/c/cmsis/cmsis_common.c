/* Rows, waits, and units that are counted: what all objects of the library are made of. */
#include "cmsis_inside.h"

void *cmsis_taken(void *rows, uint32_t count, uint32_t bytes, const char *name) {
    struct cmsis_row *taken = 0;
    const uint32_t before = cmsis_enter();
    for (uint32_t index = 0; index < count && taken == 0; index++) {
        struct cmsis_row *row = (void *)((char *)rows + (uintptr_t)index * bytes);
        if (!row->is_taken) {
            taken = row;
            *taken = (struct cmsis_row){.is_taken = true, .name = name};
        }
    }
    cmsis_leave(before);
    return taken;
}

void *cmsis_taken_with(void *rows, uint32_t count, uint32_t bytes, uint64_t least, const char *name) {
    struct cmsis_place *taken = 0;
    const uint32_t before = cmsis_enter();
    for (uint32_t index = 0; index < count; index++) {
        struct cmsis_place *place = (void *)((char *)rows + (uintptr_t)index * bytes);
        const bool is_enough = !place->row.is_taken && place->bytes >= least;
        if (is_enough && (taken == 0 || place->bytes < taken->bytes)) {
            taken = place;
        }
    }
    if (taken != 0) {
        taken->row = (struct cmsis_row){.is_taken = true, .name = name};
    }
    cmsis_leave(before);
    return taken;
}

bool cmsis_is_awaited(const void *what) {
    bool is_awaited = false;
    for (uint32_t index = 0; index < cmsis_thread_count; index++) {
        is_awaited |= cmsis_threads[index]->waits_for == what;
    }
    return is_awaited;
}

beryl_wait cmsis_waiting(uint32_t timeout) {
    return timeout == osWaitForever ? BERYL_FOREVER : beryl_at_most(timeout * CMSIS_TICK);
}

osStatus_t cmsis_failed(beryl_status status, uint32_t timeout) {
    if (status == BERYL_WOULD_BLOCK || timeout == 0) {
        return osErrorResource;
    }
    return status == BERYL_TIMED_OUT ? osErrorTimeout : osError;
}

void cmsis_fill(struct cmsis_units *units, uint32_t most, uint32_t there) {
    units->most = most;
    units->there = there;
    units->waiters = 0;
}

/* Who gives to a waiter takes it off the count of waiters before it signals, so nobody else takes that unit. Whoever gives up
   waiting while all waiters have a unit on its way waits for its own. */
static osStatus_t await(struct cmsis_units *units, uint32_t timeout) {
    osThreadId_t own = osThreadGetId();
    cmsis_waits(own, units);
    beryl_status status = beryl_semaphore_wait(units->gate, cmsis_waiting(timeout));
    if (status != BERYL_SUCCESS) {
        const uint32_t before = cmsis_enter();
        const bool is_on_its_way = units->waiters == 0;
        units->waiters -= !is_on_its_way;
        cmsis_leave(before);
        if (is_on_its_way) {
            status = beryl_semaphore_wait(units->gate, BERYL_FOREVER);
        }
    }
    cmsis_waits(own, 0);
    return status == BERYL_SUCCESS ? osOK : cmsis_failed(status, timeout);
}

osStatus_t cmsis_take_inside(struct cmsis_units *units, uint32_t timeout, uint32_t *before) {
    *before = cmsis_enter();
    if (units->there > 0) {
        units->there--;
        return osOK;
    }
    units->waiters += timeout != 0;
    cmsis_leave(*before);
    if (timeout == 0) {
        return osErrorResource;
    }
    const osStatus_t status = await(units, timeout);
    if (status == osOK) {
        *before = cmsis_enter();
    }
    return status;
}

osStatus_t cmsis_take(struct cmsis_units *units, uint32_t timeout) {
    uint32_t before = 0;
    const osStatus_t status = cmsis_take_inside(units, timeout, &before);
    if (status == osOK) {
        cmsis_leave(before);
    }
    return status;
}

bool cmsis_give(struct cmsis_units *units) {
    const uint32_t before = cmsis_enter();
    const bool is_full = units->waiters == 0 && units->there == units->most;
    const bool waits = !is_full && cmsis_add(units);
    cmsis_leave(before);
    if (waits) {
        beryl_semaphore_signal(units->gate);
    }
    return !is_full;
}

osStatus_t cmsis_delete(struct cmsis_row *row, const struct cmsis_units *units, const struct cmsis_units *others) {
    const uint32_t before = cmsis_enter();
    const bool is_used = units->waiters != 0 || others->waiters != 0;
    row->is_taken = is_used;
    cmsis_leave(before);
    return is_used ? osErrorResource : osOK;
}
