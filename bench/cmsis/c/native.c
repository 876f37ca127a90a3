/* Beryl's own calls in C, for what CMSIS-RTOS2 is measured for. */
#include "measured.h"

static void by_handles(section_lock *section, owned_semaphore *owned, units_semaphore *units, bits_source *setter,
                       bits_waiter *waiter, letters_sender *sender, letters_receiver *receiver) {
    int32_t letter[2] = {1, 2};
    uint32_t set = 0;
    MEASURE("cmsis/lock/handle", section_enter(section); section_leave(section));
    MEASURE("cmsis/mutex/handle", WELL(owned_wait(owned, BERYL_FOREVER)); owned_signal(owned));
    MEASURE("cmsis/semaphore/handle", WELL(units_signal(units)); WELL(units_wait(units, BERYL_FOREVER)));
    MEASURE("cmsis/flags/handle", bits_set(setter, 1); WELL(bits_take_any(waiter, 1, BERYL_FOREVER, &set)));
    MEASURE("cmsis/queue/handle", WELL(letters_send(sender, &letter, BERYL_FOREVER));
            WELL(letters_receive(receiver, &letter, BERYL_FOREVER)));
}

static void by_values(void) {
    int32_t letter[2] = {1, 2};
    uint32_t set = 0, outside = 0;
    MEASURE("cmsis/lock/value", WELL(beryl_lock_enter(&section_object, &outside)); WELL(beryl_lock_leave(&section_object, outside)));
    MEASURE("cmsis/mutex/value", WELL(beryl_semaphore_wait(&owned_object, BERYL_FOREVER)); WELL(beryl_semaphore_signal(&owned_object)));
    MEASURE("cmsis/semaphore/value", WELL(beryl_semaphore_signal(&units_object));
            WELL(beryl_semaphore_wait(&units_object, BERYL_FOREVER)));
    MEASURE("cmsis/flags/value", WELL(beryl_event_group_set(&bits_object, 1));
            WELL(beryl_event_group_take_any(&bits_object, 1, BERYL_FOREVER, &set)));
    MEASURE("cmsis/queue/value", WELL(beryl_mailbox_send(&letters_object, letter, sizeof letter, BERYL_FOREVER));
            WELL(beryl_mailbox_receive(&letters_object, letter, sizeof letter, BERYL_FOREVER)));
    MEASURE("cmsis/time/value", (void)beryl_time());
}

void native(section_lock *section, owned_semaphore *owned, units_semaphore *units, bits_source *setter, bits_waiter *waiter,
            letters_sender *sender, letters_receiver *receiver) {
    by_handles(section, owned, units, setter, waiter, sender, receiver);
    by_values();
    beryl_stop();
}
