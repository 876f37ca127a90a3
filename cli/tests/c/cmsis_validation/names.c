/* Names: none unless one is given, that one if it is, and none of what isn't there. */
#include "scenes.h"

static const char given[] = "given";

static bool is_given(const char *name) {
    for (uint32_t index = 0; name != 0 && index < sizeof given; index++) {
        if (name[index] != given[index]) {
            return false;
        }
    }
    return name != 0;
}

/* Two objects of a kind, made one after the other. */
#define NAMES(number, type, attributes, made, asks, ended) \
    do { \
        for (int has_name = 0; has_name < 2; has_name++) { \
            const attributes attr = {.name = has_name ? given : 0}; \
            const type object = made; \
            TELL(number, object != 0); \
            TELL(number, has_name ? is_given(asks(object)) : asks(object) == 0); \
            ended; \
        } \
        TELL(number, asks(0) == 0); \
    } while (false)

static void calls_nothing(void *argument) {
    (void)argument;
}

void show_names(void) {
    NAMES(111, osThreadId_t, osThreadAttr_t, osThreadNew(ends, 0, &attr), osThreadGetName, osDelay(1));
    NAMES(112, osEventFlagsId_t, osEventFlagsAttr_t, osEventFlagsNew(&attr), osEventFlagsGetName, osEventFlagsDelete(object));
    NAMES(113, osMutexId_t, osMutexAttr_t, osMutexNew(&attr), osMutexGetName, osMutexDelete(object));
    NAMES(114, osSemaphoreId_t, osSemaphoreAttr_t, osSemaphoreNew(1, 1, &attr), osSemaphoreGetName, osSemaphoreDelete(object));
    NAMES(115, osMemoryPoolId_t, osMemoryPoolAttr_t, osMemoryPoolNew(1, 4, &attr), osMemoryPoolGetName, osMemoryPoolDelete(object));
    NAMES(116, osMessageQueueId_t, osMessageQueueAttr_t, osMessageQueueNew(1, 4, &attr), osMessageQueueGetName, osMessageQueueDelete(object));
    NAMES(117, osTimerId_t, osTimerAttr_t, osTimerNew(calls_nothing, osTimerOnce, 0, &attr), osTimerGetName, osTimerDelete(object));
}
