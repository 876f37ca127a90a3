/* conformance/app/src/mailbox.rs in C. */
#include "work.h"

/* Letters are where the kernel takes them at once, a stack, and where it doesn't: in what the process can change, and in flash. */
static int32_t burst_letter[4] = {0, 1, 2, 3};
static const int32_t impatient_letter[4] = {0, 0, 0, 1};

void burst(beryl_period *period, letters_sender *letters) {
    for (int32_t number = 0;;) {
        for (int count = 0; count < 4; count++) {
            burst_letter[0] = ++number;
            letters_send(letters, &burst_letter, BERYL_FOREVER);
            work(100);
        }
        next(period);
    }
}

void impatient(beryl_period *period, letters_sender *letters) {
    for (;;) {
        work(120);
        work(letters_send(letters, &impatient_letter, 1000 * MICROSECOND) == BERYL_SUCCESS ? 60 : 700);
        next(period);
    }
}

void reader(letters_receiver *letters, notes_sender *notes) {
    for (;;) {
        int32_t letter[4];
        if (letters_receive(letters, &letter, BERYL_FOREVER) == BERYL_SUCCESS) {
            work(letter[0] % 2 == 0 ? 800 : 1300);
            notes_send(notes, &letter[0], BERYL_POLL);
        }
    }
}

void taker(notes_receiver *notes) {
    for (;;) {
        int32_t note;
        work(notes_receive(notes, &note, 7000 * MICROSECOND) == BERYL_SUCCESS ? 150 : 950);
    }
}
