/* Threads: made, asked, given another priority, ended, joined, made again. */
#include "scenes.h"

static void ends(void *argument) {
    TELL(3, (uintptr_t)argument);
    TELL(3, osThreadGetPriority(osThreadGetId()));
    osThreadExit();
}

static void sleeps(void *argument) {
    osDelay((uint32_t)(uintptr_t)argument);
    TELL(4, osKernelGetTickCount() > 0);
    osThreadTerminate(osThreadGetId());
}

static void nothing(void *argument) {
    (void)argument;
}

void show_threads(void) {
    const osThreadId_t own = osThreadGetId();
    osThreadId_t alive[4];
    TELL(2, osKernelGetState());
    TELL(2, osThreadSetPriority(own, osPriorityNormal));
    /* The one that began has ended meanwhile. */
    TELL(2, osThreadGetCount());
    TELL(2, osThreadGetState(own));
    TELL(2, osThreadGetStackSize(own));
    TELL(2, osThreadGetName(own)[0] == 's' && osThreadGetName(0) == 0);
    TELL(2, osThreadEnumerate(alive, 4) == 1 && alive[0] == own);
    TELL(2, osThreadNew(0, 0, 0) == 0);
    TELL(2, osThreadNew(nothing, 0, &(osThreadAttr_t){.priority = osPriorityRealtime}) == 0);
    TELL(2, osThreadNew(nothing, 0, &(osThreadAttr_t){.stack_size = 1025}) == 0);
    TELL(2, osThreadGetCount());
    /* A more urgent one is over before osThreadNew returns. */
    osThreadNew(ends, (void *)(uintptr_t)7, ABOVE("ends"));
    TELL(3, osThreadGetCount());
    /* A less urgent one waits until it is let run. */
    const osThreadId_t low = osThreadNew(sleeps, (void *)(uintptr_t)5, BELOW("sleeps"));
    TELL(4, osThreadGetState(low));
    TELL(4, osThreadSuspend(low));
    TELL(4, osThreadResume(low));
    TELL(4, osThreadTerminate(low));
    TELL(4, osThreadJoin(low));
    TELL(4, osThreadDetach(low));
    TELL(4, osThreadSetPriority(low, osPriorityRealtime));
    TELL(4, osThreadSetPriority(low, osPriorityNone));
    TELL(4, osThreadGetPriority(low));
    TELL(4, osThreadSetPriority(low, osPriorityAboveNormal));
    TELL(4, osThreadGetPriority(low));
    TELL(4, osThreadGetState(low));
    osDelay(10);
    TELL(4, osThreadGetState(low));
    TELL(4, osThreadGetPriority(low));
    TELL(4, osThreadSuspend(low));
    TELL(4, osThreadSuspend(0));
    TELL(4, osThreadYield());
    /* Joined: one that has ended, one that hasn't, and one that is let go instead. */
    const osThreadAttr_t joinable = {.attr_bits = osThreadJoinable, .priority = osPriorityHigh};
    const osThreadAttr_t later = {.attr_bits = osThreadJoinable, .priority = osPriorityLow};
    const osThreadId_t over = osThreadNew(nothing, 0, &joinable);
    TELL(5, osThreadGetState(over));
    TELL(5, osThreadGetCount());
    TELL(5, osThreadJoin(over));
    TELL(5, osThreadJoin(over));
    TELL(5, osThreadGetState(over));
    const osThreadId_t slow = osThreadNew(sleeps, (void *)(uintptr_t)3, &later);
    TELL(5, osThreadJoin(slow));
    const osThreadId_t free = osThreadNew(nothing, 0, &joinable);
    TELL(5, osThreadDetach(free));
    TELL(5, osThreadGetState(free));
    TELL(5, osThreadDetach(free));
    /* The pool has four. */
    int32_t made = 0;
    while (osThreadNew(nothing, 0, BELOW(0)) != 0) {
        made++;
    }
    TELL(5, made);
    osDelay(1);
    TELL(5, osThreadGetCount());
}
