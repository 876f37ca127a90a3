/* CMSIS-RTOS2 over pools of the description: what a call makes is taken from there, and what is full answers null.

   A thread of a pool waits at its gate. osThreadNew gives it a function and opens the gate; when the function returns or exits,
   the thread is free again:   free --osThreadNew--> taken --return, osThreadExit--> free */
#include "cmsis_pools.h"

static osKernelState_t state = osKernelInactive;

static uint32_t enter(void) {
    uint32_t before = 0;
    beryl_lock_enter(cmsis_guard, &before);
    return before;
}

static void leave(uint32_t before) {
    beryl_lock_leave(cmsis_guard, before);
}

static uint64_t in_ticks(uint32_t milliseconds) {
    return BERYL_MS(milliseconds);
}

static beryl_wait waiting(uint32_t timeout) {
    return timeout == osWaitForever ? BERYL_FOREVER : beryl_at_most(in_ticks(timeout));
}

osStatus_t osKernelInitialize(void) {
    if (state != osKernelInactive) {
        return osError;
    }
    state = osKernelReady;
    return osOK;
}

osStatus_t osKernelStart(void) {
    if (state != osKernelReady) {
        return osError;
    }
    state = osKernelRunning;
    /* Threads run from the moment they are made: the one that started them is only the first to end. */
    osThreadExit();
}

osKernelState_t osKernelGetState(void) {
    return state;
}

uint32_t osKernelGetTickCount(void) {
    return (uint32_t)(beryl_time() / in_ticks(1));
}

uint32_t osKernelGetTickFreq(void) {
    return 1000;
}

/* Where a thread of the pool begins. */
void cmsis_begin(void *argument) {
    struct cmsis_thread *own = argument;
    own->number = beryl_self();
    for (;;) {
        /* Whether there is a function says nothing: who makes a thread has set it before the gate is open. */
        if (!own->is_first) {
            beryl_semaphore_wait(own->gate, BERYL_FOREVER);
        }
        own->is_first = false;
        if (__builtin_setjmp(own->end) == 0) {
            own->function(own->argument);
        }
        own->function = 0;
    }
}

/* Kernel's priorities are 0 to 31, the interface's 1 to 56: two of these are one. */
static uint32_t rank(osPriority_t priority) {
    return ((uint32_t)priority + 1) / 2;
}

static bool is_taken(const struct cmsis_thread *thread) {
    return thread != 0 && thread->function != 0;
}

osThreadId_t osThreadNew(osThreadFunc_t function, void *argument, const osThreadAttr_t *attr) {
    if (function == 0 || state == osKernelInactive) {
        return 0;
    }
    osThreadId_t made = 0;
    const uint32_t before = enter();
    for (uint32_t index = 0; index < cmsis_thread_count && made == 0; index++) {
        if (!is_taken(cmsis_threads[index])) {
            made = cmsis_threads[index];
            made->function = function;
        }
    }
    leave(before);
    if (made == 0) {
        return 0;
    }
    made->argument = argument;
    made->name = attr == 0 ? 0 : attr->name;
    if (osThreadSetPriority(made, attr == 0 || attr->priority == osPriorityNone ? osPriorityNormal : attr->priority) != osOK) {
        made->function = 0;
        return 0;
    }
    beryl_semaphore_signal(made->gate);
    return made;
}

osThreadId_t osThreadGetId(void) {
    const uint32_t own = beryl_self();
    for (uint32_t index = 0; index < cmsis_thread_count; index++) {
        if (is_taken(cmsis_threads[index]) && cmsis_threads[index]->number == own) {
            return cmsis_threads[index];
        }
    }
    return 0;
}

const char *osThreadGetName(osThreadId_t thread) {
    return is_taken(thread) ? thread->name : 0;
}

_Noreturn void osThreadExit(void) {
    osThreadId_t own = osThreadGetId();
    if (own == 0) {
        beryl_stop();
    }
    __builtin_longjmp(own->end, 1);
}

osStatus_t osThreadYield(void) {
    beryl_yield();
    return osOK;
}

/* Nobody can make another thread stand still. */
osStatus_t osThreadSuspend(osThreadId_t thread) {
    return is_taken(thread) ? osError : osErrorParameter;
}

osStatus_t osThreadResume(osThreadId_t thread) {
    return is_taken(thread) ? osErrorResource : osErrorParameter;
}

osStatus_t osThreadTerminate(osThreadId_t thread) {
    if (!is_taken(thread)) {
        return osErrorParameter;
    }
    if (thread == osThreadGetId()) {
        osThreadExit();
    }
    return osError;
}

osPriority_t osThreadGetPriority(osThreadId_t thread) {
    return is_taken(thread) ? thread->priority : osPriorityError;
}

osStatus_t osThreadSetPriority(osThreadId_t thread, osPriority_t priority) {
    if (!is_taken(thread) || priority < osPriorityIdle || priority > 56) {
        return osErrorParameter;
    }
    if (beryl_thread_set_priority(thread->thread, rank(priority)) != BERYL_SUCCESS) {
        return osErrorParameter;
    }
    thread->priority = priority;
    return osOK;
}

uint32_t osThreadGetCount(void) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < cmsis_thread_count; index++) {
        count += is_taken(cmsis_threads[index]);
    }
    return count;
}

osStatus_t osDelay(uint32_t ticks) {
    if (ticks == 0) {
        return osErrorParameter;
    }
    return beryl_sleep(in_ticks(ticks)) == BERYL_SUCCESS ? osOK : osError;
}

osStatus_t osDelayUntil(uint32_t ticks) {
    const uint64_t now = beryl_time() / in_ticks(1);
    const uint32_t left = ticks - (uint32_t)now;
    if (left == 0 || left > INT32_MAX) {
        return osErrorParameter;
    }
    return beryl_sleep_until((now + left) * in_ticks(1)) == BERYL_SUCCESS ? osOK : osError;
}

osMutexId_t osMutexNew(const osMutexAttr_t *attr) {
    osMutexId_t made = 0;
    const uint32_t before = enter();
    for (uint32_t index = 0; index < cmsis_mutex_count && made == 0; index++) {
        if (!cmsis_mutexes[index].is_taken) {
            made = &cmsis_mutexes[index];
            made->is_taken = true;
            made->owner = 0;
            made->depth = 0;
            made->is_recursive = attr != 0 && (attr->attr_bits & osMutexRecursive) != 0;
        }
    }
    leave(before);
    return made;
}

static osStatus_t failed(beryl_status status, uint32_t timeout) {
    if (status == BERYL_WOULD_BLOCK || timeout == 0) {
        return osErrorResource;
    }
    return status == BERYL_TIMED_OUT ? osErrorTimeout : osError;
}

osStatus_t osMutexAcquire(osMutexId_t mutex, uint32_t timeout) {
    osThreadId_t own = osThreadGetId();
    if (mutex == 0 || !mutex->is_taken) {
        return osErrorParameter;
    }
    if (mutex->owner == own) {
        mutex->depth += mutex->is_recursive;
        return mutex->is_recursive ? osOK : osErrorResource;
    }
    const beryl_status status = beryl_semaphore_wait(mutex->semaphore, waiting(timeout));
    if (status != BERYL_SUCCESS && status != BERYL_OWNER_DIED) {
        return failed(status, timeout);
    }
    mutex->owner = own;
    mutex->depth = 1;
    return osOK;
}

osStatus_t osMutexRelease(osMutexId_t mutex) {
    if (mutex == 0 || !mutex->is_taken) {
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

osThreadId_t osMutexGetOwner(osMutexId_t mutex) {
    return mutex != 0 && mutex->is_taken ? mutex->owner : 0;
}

osStatus_t osMutexDelete(osMutexId_t mutex) {
    if (mutex == 0 || !mutex->is_taken) {
        return osErrorParameter;
    }
    if (mutex->owner != 0) {
        return osErrorResource;
    }
    mutex->is_taken = false;
    return osOK;
}

osSemaphoreId_t osSemaphoreNew(uint32_t most, uint32_t initial, const osSemaphoreAttr_t *attr) {
    (void)attr;
    if (most == 0 || initial > most) {
        return 0;
    }
    osSemaphoreId_t made = 0;
    const uint32_t before = enter();
    for (uint32_t index = 0; index < cmsis_semaphore_count && made == 0; index++) {
        if (!cmsis_semaphores[index].is_taken) {
            made = &cmsis_semaphores[index];
            made->is_taken = true;
            made->most = most;
            made->tokens = initial;
            made->waiters = 0;
        }
    }
    leave(before);
    return made;
}

/* The tokens are counted here, since the most of them is chosen at run time; the kernel's semaphore is where threads wait. A
   release to a waiter takes it off the list of waiters before it signals, so nobody takes that token from it. */
osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore, uint32_t timeout) {
    if (semaphore == 0 || !semaphore->is_taken) {
        return osErrorParameter;
    }
    uint32_t before = enter();
    const bool is_there = semaphore->tokens > 0;
    semaphore->tokens -= is_there;
    semaphore->waiters += !is_there && timeout != 0;
    leave(before);
    if (is_there || timeout == 0) {
        return is_there ? osOK : osErrorResource;
    }
    const beryl_status status = beryl_semaphore_wait(semaphore->gate, waiting(timeout));
    if (status == BERYL_SUCCESS) {
        return osOK;
    }
    before = enter();
    const bool is_on_its_way = semaphore->waiters == 0;
    semaphore->waiters -= !is_on_its_way;
    leave(before);
    if (is_on_its_way && beryl_semaphore_wait(semaphore->gate, BERYL_FOREVER) == BERYL_SUCCESS) {
        return osOK;
    }
    return failed(status, timeout);
}

osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore) {
    if (semaphore == 0 || !semaphore->is_taken) {
        return osErrorParameter;
    }
    const uint32_t before = enter();
    const bool waits = semaphore->waiters > 0;
    const bool is_full = !waits && semaphore->tokens == semaphore->most;
    semaphore->waiters -= waits;
    semaphore->tokens += !waits && !is_full;
    leave(before);
    if (waits) {
        beryl_semaphore_signal(semaphore->gate);
    }
    return is_full ? osErrorResource : osOK;
}

uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore) {
    return semaphore != 0 && semaphore->is_taken ? semaphore->tokens : 0;
}

osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore) {
    if (semaphore == 0 || !semaphore->is_taken) {
        return osErrorParameter;
    }
    if (semaphore->waiters > 0) {
        return osErrorResource;
    }
    semaphore->is_taken = false;
    return osOK;
}
