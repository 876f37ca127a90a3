/* `examples/warden` in C: a guess that doesn't come back in one of its jobs, a controller that goes by it, and the warden of
   both. */

/* The valve. */
enum { VALVE = 0 };

/* The job that doesn't come back. */
enum { LOST = 3 };

void warden(warden_supervisor *reports, warning_writer *warning) {
    for (;;) {
        beryl_report report;
        if (warden_hear(reports, &report, BERYL_FOREVER) != BERYL_SUCCESS) {
            continue;
        }
        beryl_tell((uint16_t)report.what, report.count);
        if (report.who == BERYL_WATCHED_Guess && report.what == BERYL_INCIDENT_OVERRUN) {
            const int32_t one = 1;
            warning_write(warning, &one);
        }
    }
}

/* Takes ten seconds: in the simulator as virtual time, on the board by work. */
static void run_away(void) {
    beryl_spend(BERYL_S(10));
#if defined __arm__ || defined __riscv
    for (volatile uint32_t round = 0; round < UINT32_MAX; round++) {
    }
#endif
}

void guess_impl(int32_t *jobs, int32_t *opening) {
    *jobs += 1;
    if (*jobs == LOST) {
        run_away();
    }
    *opening = *jobs * 10;
}

void simple_impl(int32_t *opening) {
    *opening = 7;
}

void steady_impl(const int32_t *opening, int32_t *jobs, int32_t *opened, int32_t *warned, warning_reader *warning) {
    *jobs += 1;
    *opened = *opening * 1000 + *jobs;
    *warned = 0;
    warning_read(warning, warned);
}

void set_valve(const int32_t *opened) {
    beryl_environment_write(VALVE, opened, sizeof *opened);
}

bool is_warned(const int32_t *warned) {
    return *warned != 0;
}
