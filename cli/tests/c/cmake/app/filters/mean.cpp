/* The mean of the last values. */
#include "filters.h"

namespace {
template <int length>
struct Mean {
    int32_t kept[length] = {};
    int32_t sum = 0;
    int place = 0;
    int32_t next(int32_t value) {
        sum += value - kept[place];
        kept[place] = value;
        place = (place + 1) % length;
        return sum / length;
    }
};
Mean<MEAN_OF> kept;
}

int32_t mean(int32_t value) {
    return kept.next(value);
}
