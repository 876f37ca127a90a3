/* Semaphores: made with each count, their tokens had and given back, by one thread and by several. */
#include "scenes.h"

/* As many as a byte counts. */
#define MANY 255

static osSemaphoreId_t semaphore;
static uint64_t memory[16];

static void made(uint32_t most, uint32_t initial, const osSemaphoreAttr_t *attr) {
    semaphore = osSemaphoreNew(most, initial, attr);
    TELL(151, semaphore != 0);
    TELL(151, osSemaphoreDelete(semaphore));
}

static void show_new(void) {
    made(1, 0, 0);
    made(1, 1, 0);
    made(MANY, 0, 0);
    made(MANY, MANY, 0);
    made(UINT16_MAX, UINT16_MAX, 0);
    made(UINT32_MAX, UINT32_MAX, 0);
    made(1, 0, &(osSemaphoreAttr_t){.name = "semaphore"});
    made(1, 0, &(osSemaphoreAttr_t){.cb_mem = memory, .cb_size = sizeof memory});
    TELL(151, osSemaphoreDelete(0));
}

/* Of one token and of five: given back when one was had, and when none was. */
static void show_one_and_five(void) {
    for (uint32_t most = 1; most <= 5; most += 4) {
        semaphore = osSemaphoreNew(most, most, 0);
        TELL(153, osSemaphoreRelease(semaphore));
        TELL(152, osSemaphoreAcquire(semaphore, osWaitForever));
        TELL(153, osSemaphoreRelease(semaphore));
        TELL(152, osSemaphoreAcquire(semaphore, osWaitForever));
        osSemaphoreDelete(semaphore);
    }
    TELL(152, osSemaphoreAcquire(0, 0));
    TELL(153, osSemaphoreRelease(0));
}

static void show_all_had(uint32_t most) {
    uint32_t had = 0, given = 0;
    semaphore = osSemaphoreNew(most, most, 0);
    TELL(154, osSemaphoreGetCount(semaphore));
    for (uint32_t count = 1; count <= most; count++) {
        had += osSemaphoreAcquire(semaphore, 0) == osOK && osSemaphoreGetCount(semaphore) == most - count;
    }
    TELL(154, had);
    TELL(154, osSemaphoreAcquire(semaphore, 10));
    TELL(154, osSemaphoreAcquire(semaphore, 0));
    for (uint32_t count = 0; count < most; count++) {
        given += osSemaphoreRelease(semaphore) == osOK;
    }
    TELL(154, given);
    TELL(154, osSemaphoreRelease(semaphore));
    TELL(154, osSemaphoreDelete(semaphore));
}

static void show_none_there(void) {
    semaphore = osSemaphoreNew(1, 0, 0);
    TELL(155, osSemaphoreAcquire(semaphore, 0));
    TELL(155, osSemaphoreRelease(semaphore));
    TELL(155, osSemaphoreDelete(semaphore));
}

static uint32_t had, missed;

static void tries(void *argument) {
    (void)argument;
    if (osSemaphoreGetCount(semaphore) > 0 && osSemaphoreAcquire(semaphore, 0) == osOK) {
        had++;
    } else {
        missed++;
    }
}

static void show_several(uint32_t tokens, uint32_t threads) {
    had = missed = 0;
    semaphore = osSemaphoreNew(tokens, tokens, 0);
    osDelay(1);
    for (uint32_t index = 0; index < threads; index++) {
        osThreadNew(tries, 0, AT(osPriorityNormal));
    }
    osDelay(50);
    TELL(156, had);
    TELL(156, missed);
    TELL(156, osSemaphoreRelease(semaphore));
    TELL(156, osSemaphoreDelete(semaphore));
}

static void waits(void *argument) {
    osThreadFlagsSet(argument, osSemaphoreAcquire(semaphore, 10) == osOK ? 1 : 2);
}

static void show_in_vain(void) {
    semaphore = osSemaphoreNew(1, 1, 0);
    TELL(157, osSemaphoreAcquire(semaphore, 0));
    osThreadFlagsClear(3);
    osDelay(1);
    osThreadNew(waits, osThreadGetId(), AT(osPriorityBelowNormal));
    osDelay(9);
    TELL(157, osThreadFlagsWait(1, osFlagsWaitAny, 0));
    osDelay(3);
    TELL(157, osThreadFlagsWait(2, osFlagsWaitAny, 0));
    TELL(157, osSemaphoreDelete(semaphore));
}

void show_tokens(void) {
    show_new();
    show_one_and_five();
    TELL(154, osSemaphoreGetCount(0));
    show_all_had(MANY);
    show_all_had(1);
    show_none_there();
    show_several(1, 3);
    show_several(3, 5);
    show_in_vain();
}
