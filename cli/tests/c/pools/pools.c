/* Objects by values: in arrays, in structs, in globals, as parameters. */
#include "legacy.h"

#define TELL(what, value) beryl_tell(what, (uint32_t)(value))

static const beryl_semaphore *const gates[] = {&gate_0_object, &gate_1_object, &gate_2_object, &gate_3_object, &gate_4_object};

/* What the console's device says of itself on some boards; in the simulation there are no devices. */
static uint32_t identity(void) {
#if defined BERYL_DEVICE_UART0 && defined __arm__
    return *(const volatile uint32_t *)(BERYL_DEVICE_UART0 + BERYL_DEVICE_UART0_BYTES - 16);
#else
    return 0x0D;
#endif
}

/* Five threads run it; each has a gate of its own. */
void worker(const beryl_semaphore *gate, done_sender *done) {
    for (;;) {
        const beryl_status came = beryl_semaphore_wait(gate, BERYL_FOREVER);
        int32_t number = 0;
        while (gates[number] != gate) {
            number++;
        }
        TELL(1, came == BERYL_SUCCESS ? number : -1);
        done_send(done, &number, BERYL_FOREVER);
    }
}

struct job {
    void (*what)(const struct job *);
    const beryl_mailbox *done;
};

void job(void *argument) {
    const struct job *own = argument;
    own->what(own);
}

static void give(const struct job *own) {
    (void)own;
    for (int round = 0; round < ROUNDS; round++) {
        for (int number = 4; number >= 0; number--) {
            TELL(2, beryl_semaphore_signal(gates[number]));
        }
    }
    /* A binary semaphore through its word, its value, and one that isn't owned. */
    TELL(3, beryl_semaphore_wait(&count_object, BERYL_POLL));
    *(int32_t *)beryl_semaphore_value(&count_object) = 77;
    TELL(3, beryl_semaphore_signal(&count_object));
    TELL(3, beryl_semaphore_signal(&count_object));
    TELL(3, beryl_semaphore_value(&both_object) == 0);
    /* A lock: left twice is once too often. */
    uint32_t before = 9;
    TELL(4, beryl_lock_enter(&map_object, &before));
    ((int32_t *)beryl_lock_value(&map_object))[1] = 5;
    TELL(4, before);
    TELL(4, beryl_semaphore_wait(&gate_0_object, 10));
    TELL(4, beryl_lock_leave(&map_object, before));
    TELL(4, beryl_lock_leave(&map_object, before));
    /* Messages at any address, and of another length. */
    char bytes[7] = {0, 1, 0, 2, 0, 3, 0};
    TELL(5, beryl_mailbox_send(&small_object, bytes + 1, 6, BERYL_POLL));
    TELL(5, beryl_mailbox_send(&small_object, bytes, 7, BERYL_POLL));
    TELL(5, beryl_mailbox_receive(&small_object, bytes, 6, BERYL_POLL));
    const int32_t request = 20;
    int64_t reply[2];
    TELL(6, beryl_endpoint_call(&store_object, &request, 4, reply, 16, BERYL_FOREVER));
    TELL(6, reply[0] + reply[1]);
    TELL(6, beryl_endpoint_call(&store_object, &request, 4, reply, 8, BERYL_FOREVER));
    const int32_t entry[3] = {7, 8, 9};
    TELL(7, beryl_state_write(&log_object, entry, sizeof entry));
    TELL(7, beryl_region_store(&page_object, 28, 123));
    TELL(7, beryl_region_store(&page_object, 32, 123));
    TELL(8, beryl_event_group_set(&bits_object, 6));
    TELL(8, beryl_event_group_clear(&bits_object, 4, &before));
    TELL(8, before);
    TELL(9, beryl_notification_notify(&bell_object));
    TELL(10, beryl_thread_set_priority(&giver_object, 6));
    TELL(10, beryl_thread_set_priority(&giver_object, 7));
    TELL(11, beryl_semaphore_wait(&both_object, BERYL_FOREVER));
    TELL(11, beryl_condition_wait(&filled_object, &both_object, BERYL_MS(100)));
    TELL(11, beryl_semaphore_signal(&both_object));
    TELL(13, legacy_sum(3));
    TELL(14, beryl_self() == BERYL_THREAD_giver && beryl_self() < BERYL_THREADS);
    TELL(14, identity());
    TELL(14, beryl_console_receive());
    /* Nobody asks for the period, nor for what was missed. */
    TELL(12, beryl_wait_period(0, 0));
    TELL(12, beryl_wait_period(0, &before));
    TELL(12, before);
}

static void take(const struct job *own) {
    int32_t number;
    for (int count = 0; count < 10; count++) {
        beryl_mailbox_receive(own->done, &number, sizeof number, BERYL_FOREVER);
        TELL(20, number);
    }
    TELL(21, *(int32_t *)beryl_semaphore_value(&count_object));
    TELL(22, ((int32_t *)beryl_lock_value(&map_object))[1]);
    int16_t three[3];
    TELL(23, beryl_mailbox_receive(&small_object, three, sizeof three, BERYL_POLL));
    TELL(23, three[0] + three[1] + three[2]);
    TELL(23, beryl_mailbox_receive(&small_object, three, sizeof three, BERYL_US(10)));
    int32_t entry[3];
    TELL(24, beryl_state_read(&log_object, entry, sizeof entry));
    TELL(24, entry[0] * 100 + entry[1] * 10 + entry[2]);
    TELL(24, beryl_state_read_slow(&log_object, entry, sizeof entry));
    TELL(24, beryl_state_write(&log_object, entry, sizeof entry));
    uint32_t word = 0;
    TELL(25, beryl_region_load(&page_object, 28, &word));
    TELL(25, word);
    uint32_t set = 0;
    TELL(26, beryl_event_group_wait_any(&bits_object, 2, BERYL_POLL, &set));
    TELL(26, set);
    TELL(26, beryl_event_group_wait_all(&bits_object, 6, BERYL_NS(20000), &set));
    TELL(26, beryl_event_group_take_all(&bits_object, 2, BERYL_POLL, &set));
    TELL(26, beryl_event_group_take_any(&bits_object, 2, BERYL_POLL, &set));
    TELL(27, beryl_notification_bits(&bell_object));
    TELL(27, beryl_notification_wait(&bell_object, BERYL_POLL));
    TELL(28, beryl_condition_signal(&filled_object));
    TELL(28, beryl_condition_broadcast(&filled_object));
    const uint64_t before = beryl_time();
    TELL(29, beryl_sleep(BERYL_MS(20)));
    const uint64_t slept = beryl_time() - before;
    TELL(29, slept >= BERYL_MS(20) && slept < BERYL_MS(21));
    TELL(29, BERYL_S(1) * BERYL_TICK);
    TELL(29, beryl_at_most(BERYL_S(4000)) == BERYL_LONGEST_WAIT);
}

static void serve(const struct job *own) {
    (void)own;
    int32_t request;
    beryl_status status = beryl_endpoint_receive(&store_object, &request, sizeof request, BERYL_FOREVER);
    while (status == BERYL_SUCCESS) {
        const int64_t reply[2] = {request, request + 2};
        status = beryl_endpoint_reply(&store_object, reply, sizeof reply, &request, sizeof request);
    }
    TELL(30, status);
}

/* Objects of others, of another kind, none: all refused. */
static void stray(const struct job *own) {
    uint32_t word = 4;
    TELL(42, beryl_self() == BERYL_THREAD_stranger);
    TELL(40, beryl_semaphore_wait(gates[0], BERYL_POLL));
    TELL(40, beryl_semaphore_signal(&both_object));
    TELL(40, beryl_semaphore_value(&count_object) == 0);
    TELL(40, beryl_lock_enter(&map_object, &word));
    TELL(40, beryl_lock_leave(&map_object, 0));
    TELL(40, beryl_lock_value(&map_object) == 0);
    TELL(40, beryl_mailbox_receive(own->done, &word, 4, BERYL_POLL));
    TELL(40, beryl_mailbox_send((const beryl_mailbox *)gates[0], &word, 4, BERYL_POLL));
    TELL(40, beryl_mailbox_send(0, &word, 4, BERYL_POLL));
    TELL(40, beryl_notification_wait(&bell_object, BERYL_POLL));
    TELL(40, beryl_notification_bits(&bell_object));
    TELL(40, beryl_thread_set_priority(&giver_object, 5));
    TELL(41, beryl_mailbox_send(own->done, &word, 4, BERYL_POLL));
}

const struct job giving = {give, 0};
const struct job taking = {take, &done_object};
const struct job serving = {serve, 0};
const struct job strange = {stray, &done_object};
