/* Threads joined and let go: one after another in a chain, too late, too early, by their own. */
#include "scenes.h"

/* The first makes the second, and waits for its end, and so on: each leaves its number. */
static void chain(void *argument) {
    const uint32_t number = AS_NUMBER(argument);
    TELL(103, number);
    if (number < 4) {
        TELL(103, osThreadJoin(osThreadNew(chain, AS_ARGUMENT(number + 1), JOINABLE_AT(osPriorityBelowNormal))));
    }
    TELL(103, 10 + number);
}

static void show_detached(void) {
    osThreadId_t thread = osThreadNew(ends, 0, JOINABLE_AT(osPriorityBelowNormal));
    TELL(102, osThreadDetach(thread));
    TELL(102, osThreadJoin(thread));
    osDelay(1);
    thread = osThreadNew(ends, 0, JOINABLE_AT(osPriorityBelowNormal));
    osDelay(1);
    TELL(102, osThreadGetState(thread));
    TELL(102, osThreadDetach(thread));
    TELL(102, osThreadGetState(thread));
    thread = osThreadNew(ends, 0, AT(osPriorityBelowNormal));
    TELL(102, osThreadDetach(thread));
    TELL(102, osThreadDetach(0));
    osDelay(1);
}

void show_joined(void) {
    show_detached();
    osThreadId_t thread = osThreadNew(ends, 0, JOINABLE_AT(osPriorityBelowNormal));
    TELL(103, osThreadGetState(thread));
    TELL(103, osThreadJoin(thread));
    TELL(103, osThreadGetState(thread));
    TELL(103, osThreadJoin(osThreadNew(chain, AS_ARGUMENT(1), JOINABLE_AT(osPriorityBelowNormal))));
    thread = osThreadNew(ends, 0, JOINABLE_AT(osPriorityBelowNormal));
    TELL(104, osThreadJoin(0));
    TELL(104, osThreadJoin(osThreadGetId()));
    osDelay(2);
    TELL(104, osThreadJoin(thread));
    thread = osThreadNew(ends, 0, AT(osPriorityBelowNormal));
    TELL(105, osThreadJoin(thread));
    osDelay(1);
    TELL(105, osThreadJoin(thread));
}
