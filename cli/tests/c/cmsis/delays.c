/* Delays, in ticks of a millisecond. */
#include "scenes.h"

void show_delays(void) {
    TELL(6, osDelay(0));
    TELL(6, osDelay(1));
    const uint32_t now = osKernelGetTickCount();
    TELL(6, osDelay(3));
    TELL(6, osKernelGetTickCount() - now);
    TELL(6, osDelayUntil(now + 10));
    TELL(6, osKernelGetTickCount() - now);
    TELL(6, osDelayUntil(now));
    TELL(6, osDelayUntil(osKernelGetTickCount() + UINT32_C(0x80000000)));
    const uint32_t before = osKernelGetSysTimerCount();
    osDelay(2);
    const uint32_t passed = osKernelGetSysTimerCount() - before;
    TELL(6, passed > osKernelGetSysTimerFreq() / 1000 && passed <= osKernelGetSysTimerFreq() / 500);
}
