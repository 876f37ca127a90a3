/* conformance/app/src/mailbox.rs in C. */
#include "work.h"

void burst(beryl_period *period, letters_sender *letters) {
    for (int32_t number = 0;;) {
        for (int count = 0; count < 4; count++) {
            int32_t letter[4] = {++number, 1, 2, 3};
            letters_send(letters, &letter, BERYL_FOREVER);
            work(100);
        }
        next(period);
    }
}

void impatient(beryl_period *period, letters_sender *letters) {
    const int32_t letter[4] = {0, 0, 0, 1};
    for (;;) {
        work(120);
        work(letters_send(letters, &letter, 1000 * MICROSECOND) == BERYL_SUCCESS ? 60 : 700);
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
