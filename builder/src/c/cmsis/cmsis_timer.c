/* Timers: rows that say when, and a thread of the pool that calls what is due. The first osTimerNew makes it.

   stopped --osTimerStart--> runs --due--> stopped, or runs on if it is periodic; --osTimerStop--> stopped */
#include "cmsis_inside.h"

#define CHANGED UINT32_C(1)

static osThreadId_t service;

CMSIS_SHORT bool is_one(osTimerId_t timer) {
    return timer != 0 && timer->row.is_taken;
}

static uint64_t now(void) {
    return beryl_time() / CMSIS_TICK;
}

/* What is due first: of those that are due at once, the one that was made first. */
static osTimerId_t first(void) {
    osTimerId_t found = 0;
    for (uint32_t index = 0; index < cmsis_timer_count; index++) {
        osTimerId_t timer = &cmsis_timers[index];
        if (timer->row.is_taken && timer->runs && (found == 0 || timer->due < found->due)) {
            found = timer;
        }
    }
    return found;
}

/* Takes what is due, if anything is, and says how long to wait if nothing is. */
static bool is_due(struct cmsis_timer *called, uint32_t *wait) {
    const uint32_t before = cmsis_enter();
    const uint64_t time = now();
    osTimerId_t timer = first();
    const bool is = timer != 0 && timer->due <= time;
    if (is) {
        *called = *timer;
        timer->runs = timer->is_periodic;
        timer->due += timer->period;
    }
    *wait = timer == 0 ? osWaitForever : (uint32_t)(timer->due - time);
    cmsis_leave(before);
    return is;
}

static void serve(void *argument) {
    (void)argument;
    for (;;) {
        struct cmsis_timer called;
        uint32_t wait = 0;
        if (is_due(&called, &wait)) {
            called.function(called.argument);
        } else {
            osThreadFlagsWait(CHANGED, osFlagsWaitAny, wait);
        }
    }
}

/* Inside, so two that make their first timers at a time make one. */
static bool is_served(void) {
    const uint32_t before = cmsis_enter();
    if (service == 0) {
        service = osThreadNew(serve, 0, &(osThreadAttr_t){.name = "timers", .priority = cmsis_timer_priority});
    }
    cmsis_leave(before);
    return service != 0;
}

osTimerId_t osTimerNew(osTimerFunc_t function, osTimerType_t type, void *argument, const osTimerAttr_t *attr) {
    if (function == 0 || (type != osTimerOnce && type != osTimerPeriodic)) {
        return 0;
    }
    osTimerId_t made = cmsis_taken(cmsis_timers, cmsis_timer_count, sizeof cmsis_timers[0], attr == 0 ? 0 : attr->name);
    if (made == 0) {
        return 0;
    }
    made->runs = false;
    made->function = function;
    made->argument = argument;
    made->is_periodic = type == osTimerPeriodic;
    if (!is_served()) {
        made->row.is_taken = false;
        return 0;
    }
    return made;
}

const char *osTimerGetName(osTimerId_t timer) {
    return is_one(timer) ? timer->row.name : 0;
}

osStatus_t osTimerStart(osTimerId_t timer, uint32_t ticks) {
    if (!is_one(timer) || ticks == 0 || ticks == osWaitForever) {
        return osErrorParameter;
    }
    const uint32_t before = cmsis_enter();
    timer->runs = true;
    timer->period = ticks;
    timer->due = now() + ticks;
    cmsis_leave(before);
    osThreadFlagsSet(service, CHANGED);
    return osOK;
}

osStatus_t osTimerStop(osTimerId_t timer) {
    if (!is_one(timer)) {
        return osErrorParameter;
    }
    const uint32_t before = cmsis_enter();
    const bool ran = timer->runs;
    timer->runs = false;
    cmsis_leave(before);
    return ran ? osOK : osErrorResource;
}

uint32_t osTimerIsRunning(osTimerId_t timer) {
    return is_one(timer) && timer->runs;
}

osStatus_t osTimerDelete(osTimerId_t timer) {
    if (!is_one(timer)) {
        return osErrorParameter;
    }
    const uint32_t before = cmsis_enter();
    timer->runs = false;
    timer->row.is_taken = false;
    cmsis_leave(before);
    return osOK;
}
