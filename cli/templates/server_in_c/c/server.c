/* A server that keeps settings, and two clients that have nothing else in common. What they may call is in
   build/NAME/c. */

enum {
    SETTINGS = 4,
};

/* Leaves a setting as it is. */
#define KEEP INT32_MIN

/* What a setting was. One that isn't there is 0 and stays so. */
static int32_t answer(int32_t settings[SETTINGS], int32_t which, int32_t becomes) {
    if (which < 0 || which >= SETTINGS) {
        return 0;
    }
    const int32_t was = settings[which];
    if (becomes != KEEP) {
        settings[which] = becomes;
    }
    return was;
}

/* Answers whoever calls. */
void store(settings_server *clients) {
    int32_t settings[SETTINGS] = {0};
    int32_t wish[2];
    beryl_status status = settings_receive(clients, &wish, BERYL_FOREVER);
    while (status == BERYL_SUCCESS) {
        const int32_t was = answer(settings, wish[0], wish[1]);
        status = settings_reply(clients, &was, &wish);
    }
}

/* Counts its jobs in the first setting. */
void steer(beryl_period *period, settings_client *server) {
    for (;;) {
        int32_t jobs;
        uint32_t missed;
        if (settings_call(server, &(const int32_t[2]){0, KEEP}, &jobs, BERYL_FOREVER) == BERYL_SUCCESS) {
            settings_call(server, &(const int32_t[2]){0, jobs + 1}, &jobs, BERYL_FOREVER);
        }
        beryl_wait_period(period, &missed);
    }
}

/* Tells the trace what the first setting is: `beryl trace` shows it. */
void show(beryl_period *period, settings_client *server) {
    for (;;) {
        int32_t jobs;
        uint32_t missed;
        if (settings_call(server, &(const int32_t[2]){0, KEEP}, &jobs, BERYL_FOREVER) == BERYL_SUCCESS) {
            beryl_tell(1, (uint32_t)jobs);
        }
        beryl_wait_period(period, &missed);
    }
}
