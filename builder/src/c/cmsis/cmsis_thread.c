/* Threads from a pool. One waits at its gate until osThreadNew has given it a function.

   free --osThreadNew--> taken --return, osThreadExit--> free, or ended if it is joinable --osThreadJoin, osThreadDetach--> free */
#include "cmsis_inside.h"

/* What the thread itself does last: nobody can make it anew before. */
static void end(struct cmsis_thread *own) {
    osKernelUnlock();
    cmsis_give_up(own);
    const uint32_t before = cmsis_enter();
    own->has_ended = true;
    own->row.is_taken = own->is_joinable;
    beryl_event_group_set(own->flags, CMSIS_ENDED);
    cmsis_leave(before);
}

/* Where a thread of the pool begins. */
void cmsis_begin(void *argument) {
    struct cmsis_thread *own = argument;
    for (;;) {
        if (!own->is_first) {
            beryl_semaphore_wait(own->gate, BERYL_FOREVER);
        }
        own->is_first = false;
        if (__builtin_setjmp(own->end) == 0) {
            own->function(own->argument);
        }
        end(own);
    }
}

/* The kernel's priorities are 0 to 31, the interface's 1 to 56: two of these are one. */
static uint32_t rank(osPriority_t priority) {
    return ((uint32_t)priority + 1) / 2;
}

static bool is_alive(osThreadId_t thread) {
    return thread != 0 && thread->row.is_taken && !thread->has_ended;
}

static struct cmsis_thread *free_one(const char *name) {
    struct cmsis_thread *free = 0;
    const uint32_t before = cmsis_enter();
    for (uint32_t index = 0; index < cmsis_thread_count && free == 0; index++) {
        if (!cmsis_threads[index]->row.is_taken) {
            free = cmsis_threads[index];
            free->row = (struct cmsis_row){.is_taken = true, .name = name};
        }
    }
    cmsis_leave(before);
    return free;
}

osThreadId_t osThreadNew(osThreadFunc_t function, void *argument, const osThreadAttr_t *attr) {
    static const osThreadAttr_t none = {0};
    const osThreadAttr_t *wanted = attr == 0 ? &none : attr;
    const osPriority_t priority = wanted->priority == osPriorityNone ? osPriorityNormal : wanted->priority;
    struct cmsis_thread *made = function == 0 || osKernelGetState() == osKernelInactive ? 0 : free_one(wanted->name);
    if (made == 0) {
        return 0;
    }
    made->has_ended = made->is_joined = false;
    made->is_joinable = (wanted->attr_bits & osThreadJoinable) != 0;
    made->function = function;
    made->argument = argument;
    uint32_t set = 0;
    beryl_event_group_clear(made->flags, UINT32_MAX, &set);
    const bool has_memory = made->stack >= wanted->stack_size;
    if (!has_memory || osThreadSetPriority(made, priority) != osOK) {
        made->row.is_taken = false;
        return 0;
    }
    if (cmsis_has_started()) {
        beryl_semaphore_signal(made->gate);
    }
    return made;
}

void cmsis_open_gates(void) {
    for (uint32_t index = 0; index < cmsis_thread_count; index++) {
        if (cmsis_threads[index] != osThreadGetId() && is_alive(cmsis_threads[index])) {
            beryl_semaphore_signal(cmsis_threads[index]->gate);
        }
    }
}

osThreadId_t osThreadGetId(void) {
    const uint32_t own = beryl_self();
    return own < BERYL_THREADS ? cmsis_of_thread[own] : 0;
}

const char *osThreadGetName(osThreadId_t thread) {
    return thread != 0 && thread->row.is_taken ? thread->row.name : 0;
}

osThreadState_t osThreadGetState(osThreadId_t thread) {
    if (thread == 0 || !thread->row.is_taken) {
        return osThreadError;
    }
    if (thread->has_ended) {
        return osThreadTerminated;
    }
    if (thread == osThreadGetId()) {
        return osThreadRunning;
    }
    return thread->waits_for != 0 ? osThreadBlocked : osThreadReady;
}

uint32_t osThreadGetStackSize(osThreadId_t thread) {
    return is_alive(thread) ? thread->stack : 0;
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

/* Nobody can make another thread stand still, nor end it: it might be inside anything. */
osStatus_t osThreadSuspend(osThreadId_t thread) {
    return is_alive(thread) ? osErrorResource : osErrorParameter;
}

osStatus_t osThreadResume(osThreadId_t thread) {
    return is_alive(thread) ? osErrorResource : osErrorParameter;
}

osStatus_t osThreadTerminate(osThreadId_t thread) {
    if (thread != 0 && thread == osThreadGetId()) {
        osThreadExit();
    }
    return is_alive(thread) ? osErrorResource : osErrorParameter;
}

osStatus_t osThreadDetach(osThreadId_t thread) {
    if (!cmsis_is(thread == 0 ? 0 : &thread->row)) {
        return osErrorParameter;
    }
    const uint32_t before = cmsis_enter();
    const bool may_be = thread->is_joinable && !thread->is_joined;
    if (may_be) {
        thread->is_joinable = false;
        thread->row.is_taken = !thread->has_ended;
    }
    cmsis_leave(before);
    return may_be ? osOK : osErrorResource;
}

osStatus_t osThreadJoin(osThreadId_t thread) {
    if (thread == 0 || !thread->row.is_taken) {
        return osErrorParameter;
    }
    osThreadId_t own = osThreadGetId();
    const uint32_t before = cmsis_enter();
    const bool may_be = thread->is_joinable && !thread->is_joined && thread != own;
    thread->is_joined |= may_be;
    cmsis_leave(before);
    if (!may_be) {
        return osErrorResource;
    }
    uint32_t set = 0;
    cmsis_waits(own, thread);
    const beryl_status status = beryl_event_group_take_all(thread->flags, CMSIS_ENDED, BERYL_FOREVER, &set);
    cmsis_waits(own, 0);
    thread->is_joined = false;
    if (status != BERYL_SUCCESS) {
        return osError;
    }
    thread->row.is_taken = false;
    return osOK;
}

osPriority_t osThreadGetPriority(osThreadId_t thread) {
    return is_alive(thread) ? thread->priority : osPriorityError;
}

osStatus_t osThreadSetPriority(osThreadId_t thread, osPriority_t priority) {
    if (!is_alive(thread) || priority < osPriorityIdle || priority > osPriorityISR) {
        return osErrorParameter;
    }
    /* Before: a more urgent thread runs at once, and may ask. */
    const osPriority_t was = thread->priority;
    thread->priority = priority;
    if (beryl_thread_set_priority(thread->thread, rank(priority)) != BERYL_SUCCESS) {
        thread->priority = was;
        return osErrorParameter;
    }
    return osOK;
}

uint32_t osThreadEnumerate(osThreadId_t *threads, uint32_t items) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < cmsis_thread_count && threads != 0 && count < items; index++) {
        if (is_alive(cmsis_threads[index])) {
            threads[count++] = cmsis_threads[index];
        }
    }
    return count;
}

uint32_t osThreadGetCount(void) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < cmsis_thread_count; index++) {
        count += is_alive(cmsis_threads[index]);
    }
    return count;
}
