/* Thread flags: an event group for each thread, of which the last bit says that it has ended. */
#include "cmsis_inside.h"

uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags) {
    const bool is_right = thread != 0 && thread->row.is_taken && (flags & osFlagsError) == 0;
    return is_right ? cmsis_set_flags(thread->flags, flags) : osFlagsErrorParameter;
}

uint32_t osThreadFlagsClear(uint32_t flags) {
    osThreadId_t own = osThreadGetId();
    if (own == 0) {
        return osFlagsErrorISR;
    }
    return (flags & osFlagsError) == 0 ? cmsis_clear_flags(own->flags, flags) : osFlagsErrorParameter;
}

uint32_t osThreadFlagsGet(void) {
    osThreadId_t own = osThreadGetId();
    return own == 0 ? 0 : cmsis_clear_flags(own->flags, 0);
}

uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout) {
    osThreadId_t own = osThreadGetId();
    return own == 0 ? osFlagsErrorISR : cmsis_await_flags(own, own->flags, flags, options, timeout);
}
