/* What the interface says of the kernel, its time, and delays.

   inactive --osKernelInitialize--> ready --osKernelStart--> running --osKernelLock--> locked --osKernelUnlock--> running */
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
        *version = (osVersion_t){.api = 20010003, .kernel = cmsis_version};
    }
    for (uint32_t index = 0; id_buf != 0 && index < id_size; index++) {
        id_buf[index] = index < sizeof name && index + 1 < id_size ? name[index] : 0;
    }
    return osOK;
}

/* Who has locked is inside the guard: no other thread of the pool runs, so nobody else looks at these. */
static bool is_locked;
static uint32_t before_lock;

osKernelState_t osKernelGetState(void) {
    return is_locked ? osKernelLocked : state;
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

int32_t osKernelRestoreLock(int32_t lock) {
    if (osThreadGetId() == 0) {
        return osErrorISR;
    }
    if (state != osKernelRunning || (lock != 0 && lock != 1)) {
        return osError;
    }
    if (lock == 1 && !is_locked) {
        before_lock = cmsis_enter();
        is_locked = true;
    } else if (lock == 0 && is_locked) {
        is_locked = false;
        cmsis_leave(before_lock);
    }
    return lock;
}

int32_t osKernelLock(void) {
    const bool was = is_locked;
    const int32_t now = osKernelRestoreLock(1);
    return now < 0 ? now : was;
}

int32_t osKernelUnlock(void) {
    const bool was = is_locked;
    const int32_t now = osKernelRestoreLock(0);
    return now < 0 ? now : was;
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
    osThreadId_t own = osThreadGetId();
    cmsis_waits(own, own);
    const beryl_status status = beryl_sleep_until(tick * CMSIS_TICK);
    cmsis_waits(own, 0);
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
