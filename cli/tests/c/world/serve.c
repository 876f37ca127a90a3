/* Serves a bell, and who knocks as if the bell had rung: says what its world says. */

void serve(bell_interrupt *bell, knock_notification *knock) {
    int32_t knocks = 0;
    for (;;) {
        uint32_t came = 0;
        bell_acknowledge(bell);
        if (beryl_wait_any(bell_bits(bell) | knock_bits(knock), BERYL_FOREVER, &came) != BERYL_SUCCESS) {
            continue;
        }
        int32_t value = 0;
        beryl_environment_read(0, &value, sizeof value);
        beryl_environment_write(1, &value, sizeof value);
        knocks += (came & knock_bits(knock)) != 0;
        beryl_environment_write(2, &knocks, sizeof knocks);
    }
}

void knocker(beryl_period *period, knock_notifier *knock) {
    for (;;) {
        knock_notify(knock);
        beryl_wait_period(period, 0);
    }
}
