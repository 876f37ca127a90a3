/* Waits that another thread ends after ten ticks: with a timeout that is longer, and without any. */
#include "scenes.h"

static osThreadId_t shows;
static osEventFlagsId_t events;
static osMutexId_t mutex;
static osSemaphoreId_t semaphore;
static osMessageQueueId_t queue;

/* Who waits has taken the flag before the answer is read. */
static void sets_thread_flag(void *argument) {
    (void)argument;
    osDelay(10);
    TELL(124, osThreadFlagsSet(shows, 1));
}

static void sets_event_flag(void *argument) {
    (void)argument;
    osDelay(10);
    TELL(125, osEventFlagsSet(events, 1));
}

static void holds_mutex(void *argument) {
    (void)argument;
    TELL(126, osMutexAcquire(mutex, 0));
    osDelay(10);
    TELL(126, osMutexRelease(mutex));
}

static void gives_token(void *argument) {
    (void)argument;
    osDelay(10);
    TELL(127, osSemaphoreRelease(semaphore));
}

static void puts_letter(void *argument) {
    (void)argument;
    const uint32_t letter = 7;
    osDelay(10);
    TELL(128, osMessageQueuePut(queue, &letter, 0, 0));
}

/* What the wait came to, and how many ticks it took. */
#define WAIT(number, other, priority, wait) \
    do { \
        osDelay(1); \
        osThreadNew(other, 0, AT(priority)); \
        const uint32_t before = osKernelGetTickCount(); \
        const uint32_t came = (uint32_t)(wait); \
        const uint32_t passed = osKernelGetTickCount() - before; \
        osDelay(5); \
        TELL(number, came); \
        TELL(number, 100 + passed); \
    } while (false)

static const uint32_t timeouts[2] = {100, osWaitForever};

void show_ten_ticks(void) {
    uint32_t letter = 0;
    shows = osThreadGetId();
    events = osEventFlagsNew(0);
    mutex = osMutexNew(0);
    semaphore = osSemaphoreNew(1, 0, 0);
    queue = osMessageQueueNew(16, 4, 0);
    osThreadFlagsClear(ALL_FLAGS);
    for (int index = 0; index < 2; index++) {
        const uint32_t timeout = timeouts[index];
        WAIT(124, sets_thread_flag, osPriorityBelowNormal, osThreadFlagsWait(1, osFlagsWaitAny, timeout));
        WAIT(125, sets_event_flag, osPriorityNormal, osEventFlagsWait(events, 1, osFlagsWaitAny, timeout));
        WAIT(126, holds_mutex, osPriorityAboveNormal, osMutexAcquire(mutex, timeout));
        osMutexRelease(mutex);
        WAIT(127, gives_token, osPriorityBelowNormal, osSemaphoreAcquire(semaphore, timeout));
        WAIT(128, puts_letter, osPriorityAboveNormal, osMessageQueueGet(queue, &letter, 0, timeout));
    }
    TELL(125, osEventFlagsDelete(events));
    TELL(126, osMutexDelete(mutex));
    TELL(127, osSemaphoreDelete(semaphore));
    TELL(128, osMessageQueueDelete(queue));
}
