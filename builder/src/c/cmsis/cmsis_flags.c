/* Flags of threads and of events alike: 31 bits of an event group. The last bit is not the interface's, where it says error. */
#include "cmsis_inside.h"

uint32_t cmsis_clear_flags(const beryl_event_group *group, uint32_t flags) {
    uint32_t before = 0;
    const beryl_status status = beryl_event_group_clear(group, flags, &before);
    return status == BERYL_SUCCESS ? before & ~osFlagsError : osFlagsErrorUnknown;
}

uint32_t cmsis_set_flags(const beryl_event_group *group, uint32_t flags) {
    uint32_t now = 0;
    const beryl_status status = beryl_event_group_set_and_read(group, flags, &now);
    return status == BERYL_SUCCESS ? now & ~osFlagsError : osFlagsErrorUnknown;
}

static beryl_status await(const beryl_event_group *group, uint32_t flags, uint32_t options, beryl_wait wait, uint32_t *set) {
    const bool all = (options & osFlagsWaitAll) != 0, stay = (options & osFlagsNoClear) != 0;
    if (stay) {
        return all ? beryl_event_group_wait_all(group, flags, wait, set) : beryl_event_group_wait_any(group, flags, wait, set);
    }
    return all ? beryl_event_group_take_all(group, flags, wait, set) : beryl_event_group_take_any(group, flags, wait, set);
}

static uint32_t flags_failed(beryl_status status, uint32_t timeout) {
    switch (cmsis_failed(status, timeout)) {
    case osErrorTimeout:
        return osFlagsErrorTimeout;
    case osErrorResource:
        return osFlagsErrorResource;
    default:
        return osFlagsErrorUnknown;
    }
}

uint32_t cmsis_await_flags(osThreadId_t own, const beryl_event_group *group, uint32_t flags, uint32_t options, uint32_t timeout) {
    if (flags == 0 || (flags & osFlagsError) != 0 || options > (osFlagsWaitAll | osFlagsNoClear)) {
        return osFlagsErrorParameter;
    }
    uint32_t set = 0;
    cmsis_waits(own, group);
    const beryl_status status = await(group, flags, options, cmsis_waiting(timeout), &set);
    cmsis_waits(own, 0);
    return status == BERYL_SUCCESS ? set & ~osFlagsError : flags_failed(status, timeout);
}
