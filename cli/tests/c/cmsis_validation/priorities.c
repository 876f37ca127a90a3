/* Priorities of oneself and of another, one step after another, and those that aren't any. */
#include "scenes.h"

/* How many of the six named priorities from low to realtime it is given, and has then. */
static uint32_t goes_through_all(osThreadId_t thread) {
    uint32_t count = 0;
    for (int priority = osPriorityLow; priority <= osPriorityRealtime; priority += 8) {
        const osStatus_t status = osThreadSetPriority(thread, (osPriority_t)priority);
        count += status == osOK && (int)osThreadGetPriority(thread) == priority;
    }
    return count;
}

void show_priorities(void) {
    const osThreadId_t own = osThreadGetId();
    TELL(99, goes_through_all(own));
    osThreadId_t child = osThreadNew(ends_when_told, 0, AT(osPriorityLow));
    TELL(99, goes_through_all(child));
    osThreadSetPriority(own, osPriorityNormal);
    tell_to_end(child);
    child = osThreadNew(ends, 0, AT(osPriorityLow));
    TELL(100, osThreadSetPriority(child, (osPriority_t)(osPriorityIdle - 1)));
    TELL(100, osThreadSetPriority(child, (osPriority_t)(osPriorityISR + 1)));
    TELL(100, osThreadSetPriority(0, osPriorityBelowNormal));
    TELL(101, osThreadGetPriority(own));
    TELL(101, osThreadGetPriority(0));
    osDelay(1);
}
