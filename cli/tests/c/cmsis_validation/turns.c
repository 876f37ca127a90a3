/* Who runs when: by priority, and among those of one priority by turns. */
#include "scenes.h"

static void tells(void *argument) {
    TELL(107, AS_NUMBER(argument));
}

/* All wait until the one that made them is the least urgent. */
static void show_by_priority(void) {
    const osThreadId_t own = osThreadGetId();
    osThreadId_t made[6];
    osThreadSetPriority(own, osPriorityRealtime);
    for (uint32_t index = 0; index < 6; index++) {
        made[index] = osThreadNew(tells, AS_ARGUMENT(index), AT(osPriorityLow));
    }
    for (int index = 0; index < 6; index++) {
        TELL(107, 10 + osThreadSetPriority(made[index], (osPriority_t)(osPriorityLow + 8 * index)));
    }
    osThreadSetPriority(own, osPriorityLow);
    TELL(107, 20 + osThreadYield());
    osThreadSetPriority(own, osPriorityNormal);
}

static uint32_t count;

/* Had the first turn not gone on to the next thread, both would be the same. */
static void takes_turns(void *argument) {
    (void)argument;
    const uint32_t before = ++count;
    osThreadYield();
    TELL(108, before);
    TELL(108, 10 + count);
    ++count;
    osThreadYield();
}

static void show_by_turns(void) {
    const osThreadId_t own = osThreadGetId();
    osThreadSetPriority(own, osPriorityHigh);
    for (int index = 0; index < 3; index++) {
        osThreadNew(takes_turns, 0, AT(osPriorityNormal));
    }
    osThreadSetPriority(own, osPriorityLow);
    TELL(108, 20 + osThreadGetCount());
    osThreadSetPriority(own, osPriorityNormal);
}

void show_turns(void) {
    TELL(106, osThreadYield());
    show_by_priority();
    show_by_turns();
}
