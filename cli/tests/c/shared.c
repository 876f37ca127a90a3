/* conformance/app/src/shared.rs in C. */
#include "work.h"

void publisher(beryl_period *period, pair_writer *pair, sum_writer *sum) {
    for (int64_t number = 1;; number = number * 3 + 1) {
        work(230);
        const int64_t both[2] = {number, -number};
        pair_write(pair, &both);
        work(280);
        const int32_t low = (int32_t)number;
        sum_write(sum, &low);
        work(90);
        next(period);
    }
}

void follower(beryl_period *period, pair_reader *pair, sum_reader *sum) {
    for (;;) {
        int64_t both[2] = {0, 0};
        int32_t low = 0;
        work(120);
        pair_read(pair, &both);
        beryl_tell(1, (uint32_t)(both[0] ^ both[1]));
        sum_read(sum, &low);
        beryl_tell(2, (uint32_t)low);
        work(150);
        next(period);
    }
}

void latecomer(beryl_period *period, pair_slow_reader *pair) {
    for (;;) {
        int64_t both[2] = {0, 0};
        work(340);
        pair_read_slow(pair, &both);
        beryl_tell(3, (uint32_t)both[0]);
        beryl_tell(4, (uint32_t)both[1]);
        work(2600);
        next(period);
    }
}

void halves(beryl_period *period, frame_region *frame) {
    for (uint32_t number = 1;; number++) {
        uint32_t stored = frame_store(frame, 0, number);
        work(2300);
        stored += frame_store(frame, 60, number);
        stored += frame_store(frame, 64, number);
        beryl_tell(5, stored);
        work(160);
        next(period);
    }
}

void onlooker(beryl_period *period, frame_region *frame) {
    const uint32_t offsets[] = {0, 60, 64, 2};
    for (;;) {
        work(110);
        for (int number = 0; number < 4; number++) {
            uint32_t word = UINT32_MAX;
            frame_load(frame, offsets[number], &word);
            beryl_tell(6, word);
        }
        work(140);
        next(period);
    }
}
