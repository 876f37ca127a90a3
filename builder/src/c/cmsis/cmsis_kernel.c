/* What the interface says of the kernel, its time, and delays.

   inactive --osKernelInitialize--> ready --osKernelStart--> running */
#include "cmsis_inside.h"

static osKernelState_t state = osKernelInactive;

osStatus_t osKernelInitialize(void) {
    if (state != osKernelInactive) {
        return osError;
    }
    state = osKernelReady;
    return osOK;
}

osStatus_t osKernelGetInfo(osVersion_t *version, char *id_buf, uint32_t id_size) {
    static const char name[] = "Beryl";
    if (version != 0) {
        *version = (osVersion_t){.api = 20010003, .kernel = 0};
    }
    for (uint32_t index = 0; id_buf != 0 && index < id_size; index++) {
        id_buf[index] = index < sizeof name && index + 1 < id_size ? name[index] : 0;
    }
    return osOK;
}

osKernelState_t osKernelGetState(void) {
    return state;
}

bool cmsis_has_started(void) {
    return state == osKernelRunning;
}

osStatus_t osKernelStart(void) {
    if (state != osKernelReady) {
        return osError;
    }
    /* Inside, so the most urgent of them runs first. */
    const uint32_t before = cmsis_enter();
    state = osKernelRunning;
    cmsis_open_gates();
    cmsis_leave(before);
    osThreadExit();
}

static uint64_t ticks_now(void) {
    return beryl_time() / CMSIS_TICK;
}

uint32_t osKernelGetTickCount(void) {
    return (uint32_t)ticks_now();
}

uint32_t osKernelGetTickFreq(void) {
    return 1000;
}

uint32_t osKernelGetSysTimerCount(void) {
    return (uint32_t)beryl_time();
}

uint32_t osKernelGetSysTimerFreq(void) {
    return (uint32_t)BERYL_S(1);
}

static osStatus_t sleep_until(uint64_t tick) {
    cmsis_waits(true);
    const beryl_status status = beryl_sleep_until(tick * CMSIS_TICK);
    cmsis_waits(false);
    return status == BERYL_SUCCESS ? osOK : osError;
}

/* Whole ticks of the interface: the one that has begun counts, as the standard has it. */
osStatus_t osDelay(uint32_t ticks) {
    return ticks == 0 ? osErrorParameter : sleep_until(ticks_now() + ticks);
}

osStatus_t osDelayUntil(uint32_t ticks) {
    const uint64_t now = ticks_now();
    const uint32_t left = ticks - (uint32_t)now;
    return left == 0 || left > INT32_MAX ? osErrorParameter : sleep_until(now + left);
}
