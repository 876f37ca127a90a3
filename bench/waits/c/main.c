/* The same over CMSIS-RTOS2. */
#include "cmsis_os2.h"
#include "waits.h"

static osMutexId_t mutex;
static osSemaphoreId_t go, units;
static osEventFlagsId_t events;
static osMessageQueueId_t queue;
static osThreadId_t urgent;

/* What came, but for the flag that has to. */
#define FLAG(call) ((call) ^ 1)

static void waits(void *argument) {
    (void)argument;
    uint32_t letter[2] = {0, 0};
    IS_GIVEN(osSemaphoreAcquire(go, osWaitForever), (uint32_t)osMutexAcquire(mutex, osWaitForever), osMutexRelease(mutex));
    WAITS((uint32_t)osSemaphoreAcquire(units, osWaitForever));
    WAITS(FLAG(osEventFlagsWait(events, 1, osFlagsWaitAny, osWaitForever)));
    WAITS(FLAG(osThreadFlagsWait(1, osFlagsWaitAny, osWaitForever)));
    WAITS((uint32_t)osMessageQueueGet(queue, letter, 0, osWaitForever));
}

static void wakes(void *argument) {
    (void)argument;
    const uint32_t letter[2] = {1, 2};
    HANDS_OVER("cmsis/waits/mutex/cmsis", osMutexAcquire(mutex, osWaitForever), osSemaphoreRelease(go),
               (uint32_t)osMutexRelease(mutex));
    WAKES("cmsis/waits/semaphore/cmsis", (uint32_t)osSemaphoreRelease(units));
    /* Who waited has taken it. */
    WAKES("cmsis/waits/flags/cmsis", osEventFlagsSet(events, 1));
    WAKES("cmsis/waits/thread-flags/cmsis", osThreadFlagsSet(urgent, 1));
    WAKES("cmsis/waits/queue/cmsis", (uint32_t)osMessageQueuePut(queue, letter, 0, osWaitForever));
    beryl_print("end\n", 4);
}

int main(void) {
    static const osThreadAttr_t above = {.priority = osPriorityHigh};
    osKernelInitialize();
    mutex = osMutexNew(0);
    go = osSemaphoreNew(1, 0, 0);
    units = osSemaphoreNew(1, 0, 0);
    events = osEventFlagsNew(0);
    queue = osMessageQueueNew(4, 2 * sizeof(uint32_t), 0);
    urgent = osThreadNew(waits, 0, &above);
    metric_must(urgent != 0 && osThreadNew(wakes, 0, 0) != 0, "osThreadNew");
    return osKernelStart();
}
