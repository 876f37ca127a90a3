/* A producer whose queue is full now and then, a consumer, and a lamp that a timer lets blink. */
#include "cmsis_os2.h"

#define TOLD_SUM 1
#define TOLD_LAMP 2
#define TOLD_FULL 3

struct part {
    uint32_t number, weight;
};

static osMessageQueueId_t parts, finished;

/* Faster than the consumer, so the queue fills up and holds it up. */
static void produce(void *argument) {
    const uint32_t count = *(const uint32_t *)argument;
    uint32_t waits = 0;
    for (uint32_t number = 1; number <= count; number++) {
        const struct part part = {.number = number, .weight = number * number};
        if (osMessageQueuePut(parts, &part, 0, 0) != osOK) {
            waits++;
            osMessageQueuePut(parts, &part, 0, osWaitForever);
        }
        osDelay(1);
    }
    beryl_tell(TOLD_FULL, waits);
}

static void consume(void *argument) {
    const uint32_t count = *(const uint32_t *)argument;
    uint32_t sum = 0;
    for (uint32_t taken = 0; taken < count; taken++) {
        struct part part;
        osMessageQueueGet(parts, &part, 0, osWaitForever);
        sum += part.weight;
        beryl_tell(TOLD_SUM, sum);
        osDelay(3);
    }
    const uint8_t well = 1;
    osMessageQueuePut(finished, &well, 0, osWaitForever);
}

static void blink(void *argument) {
    bool *is_on = argument;
    *is_on = !*is_on;
    beryl_tell(TOLD_LAMP, *is_on);
}

int main(void) {
    static const uint32_t count = 12;
    static bool is_on;
    osKernelInitialize();
    /* Of the two queues the smaller one is enough, and the other is left for the parts. */
    finished = osMessageQueueNew(1, 1, 0);
    parts = osMessageQueueNew(4, sizeof(struct part), 0);
    osThreadNew(produce, (void *)&count, 0);
    osThreadNew(consume, (void *)&count, &(osThreadAttr_t){.priority = osPriorityAboveNormal});
    const osTimerId_t lamp = osTimerNew(blink, osTimerPeriodic, &is_on, 0);
    osTimerStart(lamp, 10);
    /* Before osKernelStart as after it, a thread may wait: nobody works before, so nothing is finished yet. */
    uint8_t well = 0;
    beryl_tell(TOLD_FULL, osMessageQueueGet(finished, &well, 0, 0) == osErrorResource);
    return osKernelStart();
}
