/* The thread of `conformance/slots` in C: a period is recorded, a damaged program is refused, a whole one takes over, and
   the one before comes back. */
#include "work.h"

/* Words of the slot's room, and steps of a check in one job. */
enum { WORDS = 128, STEPS = 6 };

static void after(beryl_period *period) {
    work(60);
    next(period);
    work(130);
}

static void record(beryl_period *period, Slots_slot *slot) {
    beryl_tell(1, Slots_record(slot) == BERYL_SUCCESS);
    uint32_t words[WORDS], count = 0;
    while (Slots_recording(slot, words, WORDS, &count) == BERYL_WOULD_BLOCK) {
        after(period);
    }
    const bool is_there = Slots_recording(slot, words, WORDS, &count) == BERYL_SUCCESS;
    beryl_tell(2, is_there ? count : 0);
    after(period);
}

/* Some steps of a check; what the last came to is told unless there is more. Whether there is. */
static bool check(Slots_slot *slot) {
    for (int step = 0; step < STEPS; step++) {
        beryl_progress progress = {UINT32_MAX, 0, 0};
        const beryl_status status = Slots_check(slot, &progress);
        if (status != BERYL_SUCCESS || progress.state != BERYL_PROGRESS_MORE) {
            beryl_tell(4, progress.state | (uint32_t)progress.reason << 8);
            beryl_tell(5, progress.address);
            return false;
        }
    }
    return true;
}

static void until_it_runs(beryl_period *period, Slots_slot *slot) {
    beryl_progress progress = {0, 0, 0};
    while (Slots_check(slot, &progress) != BERYL_SUCCESS || progress.state != BERYL_PROGRESS_RUNNING) {
        after(period);
    }
    beryl_tell(6, 0);
}

/* Writes the module's own program, whole or with another last byte, and lets it be checked. */
static void replace(beryl_period *period, Slots_slot *slot, bool is_damaged) {
    uint32_t length = 0;
    const uint8_t *program = Slots_program(slot, &length);
    uint8_t copy[4 * WORDS];
    if (length == 0 || length > sizeof copy) {
        return;
    }
    for (uint32_t place = 0; place < length; place++) {
        copy[place] = program[place];
    }
    copy[length - 1] ^= is_damaged ? 0x10 : 0;
    beryl_tell(3, Slots_write(slot, copy, length) == BERYL_SUCCESS);
    after(period);
    while (check(slot)) {
        after(period);
    }
    if (!is_damaged) {
        until_it_runs(period, slot);
    }
}

/* What is refused before the kernel is asked, so nothing of it is in the trace; one that isn't would be. */
static void refused(Slots_slot *slot) {
    uint32_t count = 7;
    const bool is_right = Slots_write(slot, 0, 0) == BERYL_OUT_OF_PLACE && Slots_recording(slot, 0, 0, &count) == BERYL_OUT_OF_PLACE &&
                          count == 7;
    if (!is_right) {
        beryl_tell(99, 0);
    }
}

void changer(beryl_period *period, Slots_slot *slot) {
    refused(slot);
    for (;;) {
        record(period, slot);
        replace(period, slot, true);
        replace(period, slot, false);
        Slots_rollback(slot);
        until_it_runs(period, slot);
        after(period);
    }
}
