/* Message queues: by urgency and age, full, empty, waited for on both ends. */
#include "scenes.h"

struct letter {
    uint8_t text[5];
    uint32_t number;
};

static osMessageQueueId_t queue;

static osStatus_t put(uint32_t number, uint8_t priority, uint32_t timeout) {
    const struct letter letter = {.text = "abcd", .number = number};
    return osMessageQueuePut(queue, &letter, priority, timeout);
}

static int32_t got(uint32_t timeout) {
    struct letter letter = {0};
    uint8_t priority = 0;
    const osStatus_t status = osMessageQueueGet(queue, &letter, &priority, timeout);
    return status == osOK ? (int32_t)(letter.number * 10 + priority + (letter.text[3] == 'd' ? 0 : 1000)) : status;
}

static void receives(void *argument) {
    (void)argument;
    for (int count = 0; count < 3; count++) {
        TELL(41, got(osWaitForever));
    }
    osDelay(2);
    TELL(41, got(0));
}

void show_queues(void) {
    static uint32_t own[CMSIS_QUEUE_BYTES(1, 4) / 4];
    const uint32_t word = 77;
    uint32_t back = 0;
    TELL(40, osMessageQueueNew(0, 4, 0) == 0);
    TELL(40, osMessageQueueNew(4, sizeof(struct letter), 0) == 0);
    queue = osMessageQueueNew(3, sizeof(struct letter), &(osMessageQueueAttr_t){.name = "queue"});
    TELL(40, osMessageQueueGetName(queue)[0]);
    TELL(40, osMessageQueueNew(1, 4, 0) == 0);
    TELL(40, osMessageQueueGetCapacity(queue));
    TELL(40, osMessageQueueGetMsgSize(queue));
    TELL(40, got(0));
    TELL(40, got(3));
    TELL(40, put(1, 0, 0));
    TELL(40, put(2, 5, 0));
    TELL(40, put(3, 5, osWaitForever));
    TELL(40, put(4, 9, 0));
    TELL(40, put(4, 9, 3));
    TELL(40, osMessageQueueGetCount(queue));
    TELL(40, osMessageQueueGetSpace(queue));
    TELL(40, got(0));
    TELL(40, put(5, 5, 0));
    TELL(40, got(0));
    TELL(40, got(0));
    TELL(40, osMessageQueueGetSpace(queue));
    TELL(40, got(0));
    /* To one that waits; then until there is room. */
    osThreadNew(receives, 0, ABOVE("receives"));
    TELL(40, osMessageQueueDelete(queue));
    for (uint32_t number = 1; number < 7; number++) {
        TELL(40, put(number, 1, 0));
    }
    TELL(40, put(7, 2, 0));
    TELL(40, put(7, 2, osWaitForever));
    TELL(40, osMessageQueueReset(queue));
    TELL(40, osMessageQueueGetCount(queue));
    TELL(40, osMessageQueueGetSpace(queue));
    TELL(40, osMessageQueuePut(queue, 0, 0, 0));
    TELL(40, osMessageQueueDelete(queue));
    TELL(40, put(1, 0, 0));
    /* In the caller's own memory, which has room for just one. */
    const osMessageQueueAttr_t attr = {.mq_mem = own, .mq_size = sizeof own};
    TELL(40, osMessageQueueNew(2, 4, &attr) == 0);
    queue = osMessageQueueNew(1, 4, &attr);
    TELL(40, osMessageQueuePut(queue, &word, 0, 0));
    TELL(40, osMessageQueuePut(queue, &word, 0, 0));
    TELL(40, osMessageQueueGet(queue, &back, 0, 0));
    TELL(40, back);
    TELL(40, osMessageQueueDelete(queue));
}
