/* Beryl's own calls in C: what the waker does on the one side, what the waiter does on the other, in the same order. */
#include "waits.h"

volatile uint32_t woken;

void waker(owned_semaphore *owned, go_semaphore *go, units_semaphore *units, bits_source *bits, bell_notifier *bell,
           letters_sender *letters) {
    const int32_t letter[2] = {1, 2};
    HANDS_OVER("cmsis/waits/mutex/handle", owned_wait(owned, BERYL_FOREVER), go_signal(go), SILENT(owned_signal(owned)));
    WAKES("cmsis/waits/semaphore/handle", units_signal(units));
    WAKES("cmsis/waits/flags/handle", SILENT(bits_set(bits, 1)));
    WAKES("cmsis/waits/thread-flags/handle", SILENT(bell_notify(bell)));
    WAKES("cmsis/waits/queue/handle", letters_send(letters, &letter, BERYL_FOREVER));
    HANDS_OVER("cmsis/waits/mutex/value", beryl_semaphore_wait(&owned_object, BERYL_FOREVER), beryl_semaphore_signal(&go_object),
               beryl_semaphore_signal(&owned_object));
    WAKES("cmsis/waits/semaphore/value", beryl_semaphore_signal(&units_object));
    WAKES("cmsis/waits/flags/value", beryl_event_group_set(&bits_object, 1));
    WAKES("cmsis/waits/thread-flags/value", beryl_notification_notify(&bell_object));
    WAKES("cmsis/waits/queue/value", beryl_mailbox_send(&letters_object, letter, sizeof letter, BERYL_FOREVER));
    beryl_stop();
}

void waiter(owned_semaphore *owned, go_semaphore *go, units_semaphore *units, bits_waiter *bits, bell_notification *bell,
            letters_receiver *letters) {
    int32_t letter[2] = {0, 0};
    uint32_t set = 0;
    IS_GIVEN(go_wait(go, BERYL_FOREVER), owned_wait(owned, BERYL_FOREVER), SILENT(owned_signal(owned)));
    WAITS(units_wait(units, BERYL_FOREVER));
    WAITS(bits_take_any(bits, 1, BERYL_FOREVER, &set));
    WAITS(bell_wait(bell, BERYL_FOREVER));
    WAITS(letters_receive(letters, &letter, BERYL_FOREVER));
    IS_GIVEN(beryl_semaphore_wait(&go_object, BERYL_FOREVER), beryl_semaphore_wait(&owned_object, BERYL_FOREVER),
             beryl_semaphore_signal(&owned_object));
    WAITS(beryl_semaphore_wait(&units_object, BERYL_FOREVER));
    WAITS(beryl_event_group_take_any(&bits_object, 1, BERYL_FOREVER, &set));
    WAITS(beryl_notification_wait(&bell_object, BERYL_FOREVER));
    WAITS(beryl_mailbox_receive(&letters_object, letter, sizeof letter, BERYL_FOREVER));
    beryl_stop();
}
