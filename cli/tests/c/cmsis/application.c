/* What begins: it makes the thread that shows one scene after another. */
#include "scenes.h"

static void show(void *argument) {
    (void)argument;
    show_threads();
    show_delays();
    show_mutexes();
    show_semaphores();
    show_thread_flags();
    show_event_flags();
    show_queues();
    show_memory();
    show_timers();
    show_locked();
    TELL(99, osThreadGetCount());
}

int main(void) {
    osVersion_t version = {0};
    char name[4] = "....";
    TELL(1, osKernelGetState());
    TELL(1, osThreadNew(show, 0, 0) == 0);
    TELL(1, osKernelStart());
    TELL(1, osKernelLock());
    TELL(1, osKernelInitialize());
    TELL(1, osKernelInitialize());
    TELL(1, osKernelGetState());
    TELL(1, osKernelGetInfo(&version, name, sizeof name));
    TELL(1, version.api);
    TELL(1, name[0] == 'B' && name[2] == 'r' && name[3] == 0);
    TELL(1, osKernelGetTickFreq());
    TELL(1, osKernelGetSysTimerFreq() / 1000 * BERYL_TICK);
    TELL(1, osThreadNew(show, 0, ABOVE("show")) != 0);
    TELL(1, osThreadGetCount());
    return osKernelStart();
}
