/* The kernel asked while it runs: who it is, its states, its clocks. */
#include "scenes.h"

static void show_who(void) {
    osVersion_t version = {0};
    char name[20] = "";
    TELL(81, osKernelGetInfo(&version, name, sizeof name));
    TELL(81, version.api != 0 && version.kernel != 0 && name[0] != 0);
    name[0] = 0;
    TELL(81, osKernelGetInfo(0, name, sizeof name));
    TELL(81, name[0] != 0);
    version = (osVersion_t){0};
    TELL(81, osKernelGetInfo(&version, 0, sizeof name));
    TELL(81, version.api != 0 && version.kernel != 0);
    version = (osVersion_t){0};
    name[0] = 0;
    TELL(81, osKernelGetInfo(&version, name, 0));
    TELL(81, version.api != 0 && version.kernel != 0 && name[0] == 0);
}

static void show_locked(void) {
    TELL(82, osKernelGetState());
    TELL(82, osKernelLock());
    TELL(82, osKernelGetState());
    TELL(82, osKernelLock());
    TELL(82, osKernelGetState());
    TELL(82, osKernelUnlock());
    TELL(82, osKernelGetState());
    TELL(82, osKernelUnlock());
    TELL(82, osKernelGetState());
    TELL(82, osKernelRestoreLock(1));
    TELL(82, osKernelGetState());
    TELL(82, osKernelRestoreLock(0));
    TELL(82, osKernelGetState());
}

static void show_clocks(void) {
    osDelay(1);
    const uint32_t tick = osKernelGetTickCount(), count = osKernelGetSysTimerCount();
    TELL(83, tick > 0 && count > 0);
    osDelay(100);
    const uint32_t passed = (osKernelGetSysTimerCount() - count) / (osKernelGetSysTimerFreq() / osKernelGetTickFreq());
    TELL(83, osKernelGetTickCount() - tick);
    TELL(83, passed >= 99 && passed <= 101);
    TELL(83, osKernelGetTickFreq());
    TELL(83, osKernelGetSysTimerFreq() > 0);
}

static void show_delays(void) {
    uint32_t tick = osKernelGetTickCount();
    TELL(84, osDelay(10));
    TELL(84, osKernelGetTickCount() - tick);
    for (uint32_t ticks = 20; ticks <= 1000; ticks += 980) {
        tick = osKernelGetTickCount();
        TELL(84, osDelayUntil(tick + ticks));
        TELL(84, osKernelGetTickCount() - tick);
    }
}

void show_kernel(void) {
    TELL(80, osKernelInitialize());
    TELL(80, osKernelGetState());
    TELL(80, osKernelStart());
    show_who();
    show_locked();
    show_clocks();
    show_delays();
}
