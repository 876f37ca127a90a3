/* The controller's tasks, its getter and its setter. What they are called with is declared in build/NAME/c/ports.h. */

/* Where the level comes from, and where the pump's rate goes. */
enum { LEVEL = 0, PUMP = 1 };

/* The level to hold, in um, and the most that the pump takes, in um a second. */
enum { WANTED = 100000, FASTEST = 60000 };

/* A mean of about the last four levels. */
void filter_impl(const int32_t *level, int32_t *mean, int32_t *smooth) {
    *mean += (*level - *mean) / 4;
    *smooth = *mean;
}

/* Proportional to what is missing, and to all that was missing; within what the pump can do. */
void control_impl(const int32_t *level, int32_t *sum, int32_t *pump) {
    const int32_t missing = WANTED - *level;
    const int32_t wanted = missing + *sum / 64;
    *pump = wanted < 0 ? 0 : wanted > FASTEST ? FASTEST : wanted;
    /* A pump that is at its limit doesn't get more for being asked for more. */
    if (*pump == wanted) {
        *sum += missing;
    }
}

/* Reads the level. */
void read_level(int32_t *level) {
    beryl_environment_read(LEVEL, level, sizeof *level);
}

/* Sets the pump. */
void set_pump(const int32_t *pump) {
    beryl_environment_write(PUMP, pump, sizeof *pump);
}
