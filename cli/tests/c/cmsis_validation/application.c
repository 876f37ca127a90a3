/* What begins: it makes the thread that shows one scene after another. */
#include "scenes.h"

void ends(void *argument) {
    (void)argument;
}

void ends_when_told(void *argument) {
    (void)argument;
    osThreadFlagsWait(1, osFlagsWaitAny, osWaitForever);
}

void tell_to_end(osThreadId_t thread) {
    osThreadFlagsSet(thread, 1);
    osDelay(1);
}

static void show(void *argument) {
    (void)argument;
    show_kernel();
    show_made();
    show_states();
    show_priorities();
    show_joined();
    show_turns();
    show_refused();
    show_names();
    show_full();
    show_ten_ticks();
    show_thread_flags();
    show_event_flags();
    show_mutexes();
    show_owners();
    show_tokens();
    show_blocks();
    show_letters();
    show_callbacks();
    /* The one that shows, and the one that calls what timers want. */
    TELL(199, osThreadGetCount());
}

int main(void) {
    osKernelInitialize();
    osThreadNew(show, 0, 0);
    return osKernelStart();
}
