/* Objects of a kind made until there are no more: one more isn't made, and all can be deleted. */
#include "scenes.h"

#define MOST 8

#define FILL(number, type, made, deleted) \
    do { \
        type objects[MOST]; \
        uint32_t count = 0, gone = 0; \
        while (count < MOST && (objects[count] = made) != 0) { \
            count++; \
        } \
        TELL(number, count); \
        TELL(number, (made) == 0); \
        osDelay(10); \
        for (uint32_t index = 0; index < count; index++) { \
            gone += deleted(objects[index]) == osOK; \
        } \
        TELL(number, gone); \
    } while (false)

static void calls_nothing(void *argument) {
    (void)argument;
}

void show_full(void) {
    FILL(118, osEventFlagsId_t, osEventFlagsNew(0), osEventFlagsDelete);
    FILL(119, osMutexId_t, osMutexNew(0), osMutexDelete);
    FILL(120, osSemaphoreId_t, osSemaphoreNew(1, 1, 0), osSemaphoreDelete);
    FILL(121, osMemoryPoolId_t, osMemoryPoolNew(4, 32, 0), osMemoryPoolDelete);
    FILL(122, osMessageQueueId_t, osMessageQueueNew(16, 4, 0), osMessageQueueDelete);
    FILL(123, osTimerId_t, osTimerNew(calls_nothing, osTimerOnce, 0, 0), osTimerDelete);
}
