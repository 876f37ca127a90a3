/* The application, over CMSIS-RTOS2: a timer that measures, and a thread that adds up what was measured. */
#include "cmsis_os2.h"

static osMessageQueueId_t measured;

/* A timer's function doesn't wait: what has no room is lost. */
static void measure(void *argument) {
    (void)argument;
    const uint32_t value = osKernelGetTickCount() % 7;
    osMessageQueuePut(measured, &value, 0, 0);
}

static void add_up(void *argument) {
    (void)argument;
    uint32_t sum = 0;
    for (;;) {
        uint32_t value = 0;
        if (osMessageQueueGet(measured, &value, 0, osWaitForever) == osOK) {
            sum += value;
            beryl_tell(1, sum); /* in the trace, as event 1 */
        }
    }
}

int main(void) {
    osKernelInitialize();
    measured = osMessageQueueNew(8, sizeof(uint32_t), 0);
    osThreadNew(add_up, 0, 0);
    osTimerStart(osTimerNew(measure, osTimerPeriodic, 0, 0), 100);
    return osKernelStart();
}
