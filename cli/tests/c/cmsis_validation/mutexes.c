/* Mutexes: made with each attribute, had, given back, asked for their owner, entered again and again. */
#include "scenes.h"

static osMutexId_t mutex;
static uint64_t memory[16];

static void show_new(void) {
    const osMutexAttr_t attributes[6] = {
        {0},
        {.attr_bits = osMutexRecursive},
        {.attr_bits = osMutexPrioInherit},
        {.attr_bits = osMutexRobust},
        {.name = "mutex"},
        {.cb_mem = memory, .cb_size = sizeof memory},
    };
    for (int index = 0; index < 6; index++) {
        mutex = osMutexNew(index == 0 ? 0 : &attributes[index]);
        TELL(141, mutex != 0);
        TELL(141, osMutexDelete(mutex));
    }
    TELL(141, osMutexDelete(0));
}

static void show_had(void) {
    mutex = osMutexNew(0);
    TELL(142, osMutexAcquire(mutex, osWaitForever));
    TELL(142, osMutexRelease(mutex));
    TELL(142, osMutexDelete(mutex));
    TELL(142, osMutexAcquire(0, 0));
    mutex = osMutexNew(0);
    TELL(143, osMutexRelease(mutex));
    TELL(144, osMutexGetOwner(mutex) == 0);
    TELL(143, osMutexAcquire(mutex, osWaitForever));
    TELL(144, osMutexGetOwner(mutex) == osThreadGetId());
    TELL(143, osMutexRelease(mutex));
    TELL(143, osMutexDelete(mutex));
    TELL(143, osMutexRelease(0));
    TELL(144, osMutexGetOwner(0) == 0);
}

static void holds(void *argument) {
    (void)argument;
    TELL(145, 10 + osMutexAcquire(mutex, 0));
    osDelay(10);
    TELL(145, 10 + osMutexRelease(mutex));
}

static void show_owned_by_another(void) {
    mutex = osMutexNew(0);
    const osThreadId_t owner = osThreadNew(holds, 0, AT(osPriorityLow));
    osDelay(2);
    TELL(145, osMutexAcquire(mutex, 0));
    TELL(145, osMutexAcquire(mutex, 5));
    osDelay(10);
    TELL(145, osThreadGetState(owner) != osThreadBlocked);
    TELL(145, osMutexDelete(mutex));
}

/* How many of the calls that enter and leave so often were right. */
static uint32_t nest(uint32_t depth) {
    uint32_t right = osMutexAcquire(mutex, 100) == osOK;
    if (depth > 0) {
        right += nest(depth - 1);
    }
    return right + (osMutexRelease(mutex) == osOK);
}

static void nests(void *argument) {
    (void)argument;
    TELL(146, nest(3));
}

static void show_nested(void) {
    mutex = osMutexNew(&(osMutexAttr_t){.attr_bits = osMutexRecursive});
    TELL(146, osMutexAcquire(mutex, 0));
    osThreadNew(nests, 0, AT(osPriorityAboveNormal));
    TELL(146, nest(5));
    TELL(146, osMutexRelease(mutex));
    osDelay(100);
    TELL(146, osMutexRelease(mutex));
    TELL(146, osMutexDelete(mutex));
}

void show_mutexes(void) {
    show_new();
    show_had();
    show_owned_by_another();
    show_nested();
}
