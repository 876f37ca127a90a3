/* Serves a bell: says what its world says when it has rung. */

void serve(bell_interrupt *bell) {
    for (;;) {
        if (bell_wait(bell, BERYL_FOREVER) == BERYL_SUCCESS) {
            int32_t value = 0;
            beryl_environment_read(0, &value, sizeof value);
            beryl_environment_write(1, &value, sizeof value);
        }
    }
}
