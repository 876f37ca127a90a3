/* The lift's bell in C, and where it is told. */
void ring_impl(int32_t *strokes, uint8_t *on) {
    static const uint8_t LOUD[2] = {0, 1};
    *strokes += 1;
    *on = LOUD[*strokes & 1];
}

bool is_calm(const Place *place) {
    return place->wanted < 0;
}

/* The channels of examples/lift/app/src/drivers.rs. */
enum { GAP = 3, LEAF = 5 };

void read_gap(int32_t *gap) {
    beryl_environment_read(GAP, gap, sizeof *gap);
}

void set_leaf(const int32_t *speed) {
    beryl_environment_write(LEAF, speed, sizeof *speed);
}
