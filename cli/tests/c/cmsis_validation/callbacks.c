/* Timers: made and deleted, once and again, started by their own call, stopped twice. */
#include "scenes.h"

static uint32_t calls;
static uint64_t memory[16];

static void counts(void *argument) {
    calls += AS_NUMBER(argument);
}

static osTimerId_t made(osTimerType_t type) {
    calls = 0;
    return osTimerNew(counts, type, AS_ARGUMENT(1), 0);
}

static void show_new(void) {
    const osTimerAttr_t attributes[2] = {{.name = "timer"}, {.cb_mem = memory, .cb_size = sizeof memory}};
    for (int index = 0; index < 4; index++) {
        const osTimerId_t timer = osTimerNew(counts, index % 2 == 0 ? osTimerOnce : osTimerPeriodic, 0, index < 2 ? 0 : &attributes[index - 2]);
        TELL(167, timer != 0);
        TELL(167, osTimerDelete(timer));
    }
    TELL(167, osTimerNew(0, osTimerOnce, 0, 0) == 0);
}

static void show_started(void) {
    for (int type = osTimerOnce; type <= osTimerPeriodic; type++) {
        const osTimerId_t timer = made((osTimerType_t)type);
        TELL(168, osTimerStart(timer, 2));
        /* On a board the fifth comes just behind the tenth tick. */
        osDelay(11);
        TELL(168, calls);
        TELL(168, osTimerStart(timer, 0));
        osTimerDelete(timer);
    }
    TELL(168, osTimerStart(0, 10));
}

static osTimerId_t again;

static void starts_again(void *argument) {
    (void)argument;
    calls++;
    TELL(169, osTimerStart(again, 4));
}

static void show_started_by_itself(void) {
    calls = 0;
    again = osTimerNew(starts_again, osTimerOnce, 0, 0);
    osTimerStart(again, 2);
    osDelay(3);
    TELL(169, calls);
    TELL(169, osTimerIsRunning(again));
    osDelay(5);
    TELL(169, calls);
    osTimerDelete(again);
}

static void show_stopped(void) {
    for (int type = osTimerOnce; type <= osTimerPeriodic; type++) {
        osTimerId_t timer = made((osTimerType_t)type);
        osTimerStart(timer, 10);
        TELL(170, osTimerIsRunning(timer));
        TELL(170, osTimerStop(timer));
        TELL(170, osTimerIsRunning(timer));
        TELL(170, osTimerStop(timer));
        TELL(171, osTimerDelete(timer));
        timer = made((osTimerType_t)type);
        osTimerStart(timer, 10);
        TELL(171, osTimerDelete(timer));
    }
    TELL(170, osTimerStop(0));
    TELL(170, osTimerIsRunning(0));
    TELL(171, osTimerDelete(0));
}

static void show_once(void) {
    const osTimerId_t timer = made(osTimerOnce);
    TELL(172, osTimerIsRunning(timer));
    TELL(172, osTimerStop(timer));
    TELL(172, osTimerStart(timer, 10));
    TELL(172, osTimerIsRunning(timer));
    osDelay(20);
    TELL(172, calls);
    osDelay(20);
    TELL(172, calls);
    TELL(172, osTimerStop(timer));
    TELL(172, osTimerDelete(timer));
}

static void show_again_and_again(void) {
    const osTimerId_t timer = made(osTimerPeriodic);
    TELL(173, osTimerIsRunning(timer));
    TELL(173, osTimerStop(timer));
    TELL(173, osTimerStart(timer, 10));
    TELL(173, osTimerIsRunning(timer));
    osDelay(35);
    TELL(173, calls);
    TELL(173, osTimerStop(timer));
    TELL(173, osTimerStop(timer));
    TELL(173, osTimerDelete(timer));
}

void show_callbacks(void) {
    show_new();
    show_started();
    show_started_by_itself();
    show_stopped();
    show_once();
    show_again_and_again();
}
