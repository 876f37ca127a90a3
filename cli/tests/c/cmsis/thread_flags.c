/* Thread flags: set by others, waited for by any or all, left or cleared. */
#include "scenes.h"

static void waits(void *argument) {
    TELL(31, osThreadFlagsGet());
    TELL(31, osThreadFlagsWait(3, osFlagsWaitAny, osWaitForever));
    TELL(31, osThreadFlagsGet());
    TELL(31, osThreadFlagsWait(12, osFlagsWaitAll, osWaitForever));
    TELL(31, osThreadFlagsWait(1, osFlagsNoClear, osWaitForever));
    TELL(31, osThreadFlagsWait(1, osFlagsWaitAny, 0));
    TELL(31, osThreadFlagsWait(1, osFlagsWaitAny, 0));
    TELL(31, osThreadFlagsWait(1, osFlagsWaitAny, 5));
    osThreadFlagsSet(argument, 64);
}

void show_thread_flags(void) {
    const osThreadId_t own = osThreadGetId();
    const osThreadId_t waiter = osThreadNew(waits, own, ABOVE("waits"));
    TELL(30, osThreadGetState(waiter));
    TELL(30, osThreadFlagsSet(waiter, 18));
    TELL(30, osThreadFlagsSet(waiter, 4));
    TELL(30, osThreadFlagsSet(waiter, 8));
    TELL(30, osThreadFlagsSet(waiter, 1));
    TELL(30, osThreadFlagsWait(64, osFlagsWaitAny, osWaitForever));
    TELL(30, osThreadFlagsSet(waiter, 1));
    TELL(30, osThreadFlagsSet(own, UINT32_C(0x80000001)));
    TELL(30, osThreadFlagsSet(own, 7));
    TELL(30, osThreadFlagsClear(2));
    TELL(30, osThreadFlagsGet());
    TELL(30, osThreadFlagsWait(0, osFlagsWaitAny, 0));
    TELL(30, osThreadFlagsWait(1, 4, 0));
    TELL(30, osThreadFlagsWait(13, osFlagsWaitAll | osFlagsNoClear, 2));
    TELL(30, osThreadFlagsWait(5, osFlagsWaitAll, 0));
    TELL(30, osThreadFlagsGet());
    /* A thread that is made anew has none of the flags of the one before. */
    osThreadFlagsSet(own, 1);
    TELL(30, osThreadFlagsClear(1));
}
