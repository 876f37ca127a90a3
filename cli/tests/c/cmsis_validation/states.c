/* What is told of threads: their states, their stacks, how many there are and which. */
#include "scenes.h"

static osSemaphoreId_t semaphore;

static void blocks(void *argument) {
    (void)argument;
    osSemaphoreAcquire(semaphore, osWaitForever);
}

static void show_state(void) {
    TELL(92, osThreadGetState(osThreadGetId()));
    osDelay(1);
    const osThreadId_t same = osThreadNew(ends, 0, AT(osPriorityNormal));
    TELL(92, osThreadGetState(same));
    TELL(92, osThreadTerminate(same));
    osDelay(2);
    TELL(92, osThreadGetState(same));
    TELL(92, osThreadGetState(0));
    semaphore = osSemaphoreNew(1, 0, 0);
    const osThreadId_t blocked = osThreadNew(blocks, 0, AT(osPriorityHigh));
    TELL(93, osThreadGetState(blocked));
    TELL(93, osThreadTerminate(blocked));
    TELL(93, osSemaphoreRelease(semaphore));
    TELL(93, osSemaphoreDelete(semaphore));
    const osThreadId_t joinable = osThreadNew(ends, 0, JOINABLE_AT(osPriorityBelowNormal));
    osDelay(1);
    TELL(94, osThreadGetState(joinable));
    TELL(94, osThreadDetach(joinable));
}

/* A thread has the stack of the pool, however little it asks for. */
static void show_stacks(void) {
    const osThreadId_t small = osThreadNew(ends, 0, &(osThreadAttr_t){.stack_size = 128, .priority = osPriorityLow});
    TELL(95, osThreadGetStackSize(osThreadGetId()));
    TELL(95, osThreadGetStackSize(small));
    TELL(95, osThreadGetStackSize(0));
    osDelay(1);
}

static void show_how_many(void) {
    osThreadId_t all[10] = {0};
    const uint32_t before = osThreadGetCount();
    const osThreadId_t blocked = osThreadNew(ends_when_told, 0, AT(osPriorityHigh));
    const osThreadId_t ready = osThreadNew(ends, 0, AT(osPriorityLow));
    TELL(96, before);
    TELL(96, osThreadGetCount());
    TELL(96, osThreadEnumerate(all, 10));
    uint32_t found = 0;
    for (int index = 0; index < 10; index++) {
        found += all[index] == blocked || all[index] == ready;
    }
    TELL(96, found);
    tell_to_end(blocked);
    TELL(96, osThreadGetCount());
}

static uint32_t count;

static void leaves(void *argument) {
    (void)argument;
    for (;;) {
        count++;
        osThreadExit();
    }
}

static void show_ends(void) {
    const osThreadId_t left = osThreadNew(leaves, 0, AT(osPriorityHigh));
    TELL(97, count);
    TELL(97, osThreadGetState(left));
    const osThreadId_t returned = osThreadNew(ends, 0, AT(osPriorityLow));
    osDelay(10);
    TELL(98, osThreadTerminate(returned));
}

void show_states(void) {
    show_state();
    show_stacks();
    show_how_many();
    show_ends();
}
