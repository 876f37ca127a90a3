/* Event flags: event groups, for which any number of threads may wait. */
#include "cmsis_inside.h"

CMSIS_SHORT bool is_one(osEventFlagsId_t events) {
    return events != 0 && events->row.is_taken;
}

osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attr) {
    const char *name = attr == 0 ? 0 : attr->name;
    osEventFlagsId_t made = cmsis_taken(cmsis_event_flags, cmsis_event_flags_count, sizeof cmsis_event_flags[0], name);
    if (made != 0) {
        cmsis_clear_flags(made->group, UINT32_MAX);
    }
    return made;
}

const char *osEventFlagsGetName(osEventFlagsId_t events) {
    return is_one(events) ? events->row.name : 0;
}

uint32_t osEventFlagsSet(osEventFlagsId_t events, uint32_t flags) {
    const bool is_right = is_one(events) && (flags & osFlagsError) == 0;
    return is_right ? cmsis_set_flags(events->group, flags) : osFlagsErrorParameter;
}

uint32_t osEventFlagsClear(osEventFlagsId_t events, uint32_t flags) {
    const bool is_right = is_one(events) && (flags & osFlagsError) == 0;
    return is_right ? cmsis_clear_flags(events->group, flags) : osFlagsErrorParameter;
}

uint32_t osEventFlagsGet(osEventFlagsId_t events) {
    return is_one(events) ? cmsis_clear_flags(events->group, 0) : 0;
}

uint32_t osEventFlagsWait(osEventFlagsId_t events, uint32_t flags, uint32_t options, uint32_t timeout) {
    if (!is_one(events)) {
        return osFlagsErrorParameter;
    }
    return cmsis_await_flags(timeout == 0 ? 0 : osThreadGetId(), events->group, flags, options, timeout);
}

osStatus_t osEventFlagsDelete(osEventFlagsId_t events) {
    if (!is_one(events)) {
        return osErrorParameter;
    }
    const uint32_t before = cmsis_enter();
    const bool is_used = cmsis_is_awaited(events->group);
    events->row.is_taken = is_used;
    cmsis_leave(before);
    return is_used ? osErrorResource : osOK;
}
