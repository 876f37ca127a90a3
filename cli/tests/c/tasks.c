/* conformance/app/src/tasks.rs in C. */
#include "work.h"

void blend_impl(const int32_t *count, double *angle, double *height, notes_sender *notes, level_writer *level,
                sums_lock *sums) {
    work(310);
    *angle = beryl_fmod(*angle + *count * 0.7, 6.25);
    *height = beryl_sin(*angle) * beryl_pow(1.1, *count % 9) + beryl_sqrt(*angle);
    const double both[2] = {*angle, *height};
    level_write(level, &both);
    int64_t *values = *sums_enter(sums);
    work(140);
    values[0] += *count;
    values[1] = values[1] * 3 + values[0];
    sums_leave(sums);
    notes_send(notes, count, BERYL_POLL);
    work(120);
}

void single_impl(const double *height, float *gain) {
    work(270);
    *gain = beryl_atan2f(beryl_expf((float)*height), *gain + 0.5f);
}

void noting(notes_receiver *notes) {
    for (;;) {
        int32_t number;
        if (notes_receive(notes, &number, BERYL_FOREVER) == BERYL_SUCCESS) {
            beryl_tell(1, (uint32_t)number);
            work(430);
        }
    }
}

void leveller(beryl_period *period, level_reader *level, sums_lock *sums) {
    for (;;) {
        union {
            double numbers[2];
            uint32_t words[4];
        } both = {{0, 0}};
        work(90);
        level_read(level, &both.numbers);
        for (int word = 0; word < 4; word++) {
            beryl_tell(2 + word % 2, both.words[word]);
        }
        int64_t *values = *sums_enter(sums);
        work(180);
        const int64_t second = values[1];
        sums_leave(sums);
        beryl_tell(4, (uint32_t)second);
        work(60);
        next(period);
    }
}

void show_single(const float *gain) {
    (void)gain;
    work(25);
}
