/* Mutexes: binary semaphores, so all of them inherit.

   free --Acquire--> owned (depth 1) --Acquire, if it is recursive--> owned (depth + 1) --Release--> owned (depth - 1), free at 0 */
#include "cmsis_inside.h"

CMSIS_SHORT bool is_one(osMutexId_t mutex) {
    return mutex != 0 && mutex->row.is_taken;
}

osMutexId_t osMutexNew(const osMutexAttr_t *attr) {
    osMutexId_t made = cmsis_taken(cmsis_mutexes, cmsis_mutex_count, sizeof cmsis_mutexes[0], attr == 0 ? 0 : attr->name);
    if (made != 0) {
        made->owner = 0;
        made->depth = 0;
        made->is_recursive = attr != 0 && (attr->attr_bits & osMutexRecursive) != 0;
        made->is_robust = attr != 0 && (attr->attr_bits & osMutexRobust) != 0;
    }
    return made;
}

const char *osMutexGetName(osMutexId_t mutex) {
    return is_one(mutex) ? mutex->row.name : 0;
}

static bool is_given(beryl_status status) {
    return status == BERYL_SUCCESS || status == BERYL_OWNER_DIED;
}

osStatus_t osMutexAcquire(osMutexId_t mutex, uint32_t timeout) {
    osThreadId_t own = osThreadGetId();
    if (!is_one(mutex)) {
        return osErrorParameter;
    }
    if (own == 0) {
        return osErrorISR;
    }
    if (mutex->owner == own) {
        const bool may_be = mutex->is_recursive && mutex->depth < UINT32_MAX;
        mutex->depth += may_be;
        return may_be ? osOK : osErrorResource;
    }
    beryl_status status = beryl_semaphore_wait(mutex->semaphore, BERYL_POLL);
    if (is_given(status)) {
        mutex->owner = own;
    } else if (timeout != 0) {
        own->waits_for = mutex;
        status = beryl_semaphore_wait(mutex->semaphore, cmsis_waiting(timeout));
        if (is_given(status)) {
            mutex->owner = own;
        }
        own->waits_for = 0;
    }
    if (!is_given(status)) {
        return cmsis_failed(status, timeout);
    }
    mutex->depth = 1;
    return osOK;
}

osStatus_t osMutexRelease(osMutexId_t mutex) {
    if (!is_one(mutex)) {
        return osErrorParameter;
    }
    if (mutex->owner == 0 || mutex->owner != osThreadGetId()) {
        return osErrorResource;
    }
    mutex->depth--;
    if (mutex->depth == 0) {
        mutex->owner = 0;
        beryl_semaphore_signal(mutex->semaphore);
    }
    return osOK;
}

void cmsis_give_up(osThreadId_t thread) {
    for (uint32_t index = 0; index < cmsis_mutex_count; index++) {
        osMutexId_t mutex = &cmsis_mutexes[index];
        if (mutex->row.is_taken && mutex->is_robust && mutex->owner == thread) {
            mutex->depth = 1;
            osMutexRelease(mutex);
        }
    }
}

osThreadId_t osMutexGetOwner(osMutexId_t mutex) {
    return is_one(mutex) ? mutex->owner : 0;
}

osStatus_t osMutexDelete(osMutexId_t mutex) {
    if (!is_one(mutex)) {
        return osErrorParameter;
    }
    /* Whoever has the semaphore may not have said so yet. */
    const bool is_free = is_given(beryl_semaphore_wait(mutex->semaphore, BERYL_POLL));
    const uint32_t before = cmsis_enter();
    const bool is_used = !is_free || cmsis_is_awaited(mutex);
    mutex->row.is_taken = is_used;
    cmsis_leave(before);
    if (is_free) {
        beryl_semaphore_signal(mutex->semaphore);
    }
    return is_used ? osErrorResource : osOK;
}
