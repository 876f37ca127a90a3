/* A controller: a sequence that shows whether one of its writes was late, early, or another's. */

void hold_impl(int32_t *step, int32_t *opening) {
    *step = (*step * 5 + 3) % 97;
    *opening = *step;
}

void set_valve(const int32_t *valve) {
    beryl_environment_write(0, valve, sizeof *valve);
}
