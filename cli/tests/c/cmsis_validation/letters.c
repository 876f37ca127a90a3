/* Message queues: made and deleted, asked, filled and emptied in order, waited at. */
#include "scenes.h"

#define LETTERS 16
#define SIZE 4

static osMessageQueueId_t queue;
static uint32_t control[32], memory[CMSIS_QUEUE_BYTES(1, 4) / 4];

static osStatus_t put(uint32_t letter, uint32_t timeout) {
    return osMessageQueuePut(queue, &letter, 0, timeout);
}

static int32_t got(uint32_t timeout) {
    uint32_t letter = 0;
    const osStatus_t status = osMessageQueueGet(queue, &letter, 0, timeout);
    return status == osOK ? (int32_t)letter : status;
}

static void show_new(void) {
    const osMessageQueueAttr_t attributes[3] = {
        {0}, {.name = "queue"}, {.cb_mem = control, .cb_size = sizeof control, .mq_mem = memory, .mq_size = sizeof memory}};
    for (int index = 0; index < 3; index++) {
        queue = osMessageQueueNew(1, SIZE, index == 0 ? 0 : &attributes[index]);
        TELL(162, queue != 0);
        TELL(162, osMessageQueueDelete(queue));
    }
    queue = osMessageQueueNew(LETTERS, SIZE, 0);
    TELL(162, put(2, 0));
    TELL(162, osMessageQueueDelete(queue));
    TELL(162, osMessageQueueDelete(0));
}

static void show_asked(void) {
    uint32_t letter = 2;
    queue = osMessageQueueNew(LETTERS, SIZE, 0);
    TELL(163, put(2, 0));
    TELL(164, osMessageQueueGetCapacity(queue));
    TELL(164, osMessageQueueGetMsgSize(queue));
    TELL(164, osMessageQueueGetCount(queue));
    TELL(164, osMessageQueueGetSpace(queue));
    TELL(163, got(0));
    TELL(163, put(3, 0));
    TELL(164, osMessageQueueReset(queue));
    TELL(164, osMessageQueueGetSpace(queue));
    TELL(163, osMessageQueueDelete(queue));
    TELL(163, osMessageQueuePut(0, &letter, 0, osWaitForever));
    TELL(163, osMessageQueueGet(0, &letter, 0, osWaitForever));
    TELL(164, osMessageQueueReset(0));
    TELL(164, osMessageQueueGetCapacity(0) + osMessageQueueGetMsgSize(0) + osMessageQueueGetCount(0) + osMessageQueueGetSpace(0));
}

static uint32_t filled(void) {
    uint32_t right = 0;
    for (uint32_t index = 0; index < LETTERS; index++) {
        right += put(index, 0) == osOK && osMessageQueueGetCount(queue) == index + 1 &&
                 osMessageQueueGetSpace(queue) == LETTERS - index - 1;
    }
    return right;
}

static uint32_t emptied(void) {
    uint32_t right = 0;
    for (uint32_t index = 0; index < LETTERS; index++) {
        right += got(0) == (int32_t)index && osMessageQueueGetCount(queue) == LETTERS - index - 1 &&
                 osMessageQueueGetSpace(queue) == index + 1;
    }
    return right;
}

static void show_full_and_empty(void) {
    queue = osMessageQueueNew(LETTERS, SIZE, 0);
    TELL(165, filled());
    TELL(165, put(0, 0));
    TELL(165, put(0, 10));
    TELL(165, emptied());
    TELL(165, got(0));
    TELL(165, got(10));
    TELL(165, filled());
    TELL(165, osMessageQueueReset(queue));
    TELL(165, osMessageQueueGetCount(queue));
    TELL(165, osMessageQueueGetSpace(queue));
    TELL(165, osMessageQueueDelete(queue));
}

static uint32_t turns;
static int32_t came;

static void waits(void *argument) {
    (void)argument;
    turns++;
    came = got(osWaitForever);
    turns++;
}

static void show_waited_at(void) {
    queue = osMessageQueueNew(LETTERS, SIZE, 0);
    osThreadNew(waits, 0, AT(osPriorityAboveNormal));
    TELL(166, turns);
    TELL(166, put(2, osWaitForever));
    TELL(166, turns);
    TELL(166, came);
    TELL(166, osMessageQueueDelete(queue));
}

void show_letters(void) {
    show_new();
    show_asked();
    show_full_and_empty();
    show_waited_at();
}
