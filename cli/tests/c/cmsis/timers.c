/* Timers: once and again, started anew, stopped, deleted; calls that set off others. */
#include "scenes.h"

static osTimerId_t once, again;
static uint32_t begun;

static void tells(void *argument) {
    TELL(61, (uintptr_t)argument * 100 + osKernelGetTickCount() - begun);
}

/* From within its own call. */
static void stops(void *argument) {
    tells(argument);
    if (osKernelGetTickCount() - begun >= 12) {
        TELL(62, osTimerStop(again));
        TELL(62, osTimerStart(once, 3));
    }
}

void show_timers(void) {
    TELL(60, osTimerNew(0, osTimerOnce, 0, 0) == 0);
    once = osTimerNew(tells, osTimerOnce, (void *)(uintptr_t)1, &(osTimerAttr_t){.name = "once"});
    again = osTimerNew(stops, osTimerPeriodic, (void *)(uintptr_t)2, 0);
    TELL(60, osTimerNew(tells, osTimerOnce, 0, 0) == 0);
    TELL(60, osTimerGetName(once)[0]);
    /* The thread that calls is one of the pool. */
    TELL(60, osThreadGetCount());
    TELL(60, osTimerIsRunning(once));
    TELL(60, osTimerStop(once));
    TELL(60, osTimerStart(once, 0));
    begun = osKernelGetTickCount();
    TELL(60, osTimerStart(once, 5));
    TELL(60, osTimerStart(again, 4));
    TELL(60, osTimerIsRunning(once));
    osDelay(3);
    /* Anew: from now on. */
    TELL(60, osTimerStart(once, 6));
    osDelay(20);
    TELL(60, osTimerIsRunning(once) + osTimerIsRunning(again));
    begun = osKernelGetTickCount();
    TELL(60, osTimerStart(once, 2));
    TELL(60, osTimerStop(once));
    TELL(60, osTimerStart(again, 2));
    osDelay(5);
    TELL(60, osTimerDelete(again));
    TELL(60, osTimerDelete(again));
    TELL(60, osTimerStart(again, 1));
    osDelay(5);
    TELL(60, osTimerDelete(once));
    TELL(60, osTimerIsRunning(once));
}
