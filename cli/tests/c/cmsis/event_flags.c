/* Event flags: several wait for the same ones. */
#include "scenes.h"

static osEventFlagsId_t events;

static void watches(void *argument) {
    TELL(33, osEventFlagsWait(events, (uint32_t)(uintptr_t)argument, osFlagsWaitAll | osFlagsNoClear, osWaitForever));
}

static void takes(void *argument) {
    TELL(34, osEventFlagsWait(events, (uint32_t)(uintptr_t)argument, osFlagsWaitAny, 5));
}

void show_event_flags(void) {
    events = osEventFlagsNew(&(osEventFlagsAttr_t){.name = "events"});
    TELL(32, osEventFlagsNew(0) == 0);
    TELL(32, osEventFlagsGetName(events)[0]);
    TELL(32, osEventFlagsGet(events));
    osThreadNew(watches, (void *)(uintptr_t)1, ABOVE(0));
    osThreadNew(watches, (void *)(uintptr_t)3, ABOVE(0));
    TELL(32, osEventFlagsDelete(events));
    TELL(32, osEventFlagsSet(events, 1));
    TELL(32, osEventFlagsSet(events, 2));
    TELL(32, osEventFlagsClear(events, 1));
    TELL(32, osEventFlagsGet(events));
    /* Taken by both at once, and not there any more. */
    TELL(32, osEventFlagsClear(events, 2));
    osThreadNew(takes, (void *)(uintptr_t)8, ABOVE(0));
    osThreadNew(takes, (void *)(uintptr_t)24, &(osThreadAttr_t){.priority = osPriorityAboveNormal});
    TELL(32, osEventFlagsSet(events, 8));
    osDelay(10);
    TELL(32, osEventFlagsWait(events, 8, osFlagsWaitAny, 0));
    TELL(32, osEventFlagsSet(events, osFlagsError));
    TELL(32, osEventFlagsSet(0, 1));
    TELL(32, osEventFlagsWait(0, 1, 0, 0));
    TELL(32, osEventFlagsSet(events, 1));
    TELL(32, osEventFlagsDelete(events));
    TELL(32, osEventFlagsDelete(events));
    TELL(32, osEventFlagsClear(events, 1));
    /* Made anew it has no flags. */
    events = osEventFlagsNew(0);
    TELL(32, osEventFlagsGet(events));
    TELL(32, osEventFlagsDelete(events));
}
