/* The lift's cabin in C: what examples/lift/app has in Rust. */
#include "limits.h"

enum { FASTEST = 1500, NEAR = 3, STEPS_A_SECOND = 50 };

static bool is_wanted(const Place *place) {
    return place->wanted >= 0;
}

static bool is_reached(const Place *place) {
    int64_t left = (int64_t)place->cabin - place->wanted;
    return is_wanted(place) && left <= NEAR && left >= -NEAR;
}

void drive_impl(const Place *place, int32_t *speed) {
    int64_t left = ((int64_t)place->wanted - place->cabin) * STEPS_A_SECOND / 4;
    *speed = is_wanted(place) && !is_reached(place) ? limited(left, FASTEST) : 0;
}

bool must_travel(const Place *place, const int32_t *gap) {
    return *gap <= 0 && is_wanted(place) && !is_reached(place);
}
