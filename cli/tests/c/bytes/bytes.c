/* Messages of objects by values: wherever they lie, as long as they are, by whom they may be sent, and what becomes of numbers. */

#define TELL(what, value) beryl_tell(what, (uint32_t)(value))

/* A message at an address that is no multiple of four, and bytes around it that nobody may touch. */
enum { BEFORE = 5, MOST = 16, BEHIND = 3 };
static uint8_t around[BEFORE + MOST + BEHIND];

static void *shifted(const void *message, uint32_t bytes) {
    __builtin_memset(around, 0xA5, sizeof around);
    __builtin_memcpy(around + BEFORE, message, bytes);
    return around + BEFORE;
}

/* How many of the bytes around a message are as they were. */
static uint32_t kept(uint32_t bytes) {
    uint32_t count = 0;
    for (uint32_t place = 0; place < sizeof around; place++) {
        count += (place < BEFORE || place >= BEFORE + bytes) && around[place] == 0xA5;
    }
    return count;
}

static void words(int number, const void *message, uint32_t bytes) {
    for (uint32_t place = 0; place + 4 <= bytes; place += 4) {
        uint32_t word;
        __builtin_memcpy(&word, (const char *)message + place, 4);
        TELL(number, word);
    }
}

/* Through a mailbox and back: from a place and to it, and then both at another address. */
static void through(int number, const beryl_mailbox *mailbox, const void *message, uint32_t bytes) {
    _Alignas(8) uint8_t came[20];
    __builtin_memset(came, 0x5A, sizeof came);
    TELL(number, beryl_mailbox_send(mailbox, message, bytes, BERYL_POLL));
    TELL(number, beryl_mailbox_receive(mailbox, came, bytes, BERYL_POLL));
    words(number, came, bytes);
    TELL(number, came[bytes]);
    TELL(number, beryl_mailbox_send(mailbox, shifted(message, bytes), bytes, BERYL_POLL));
    __builtin_memset(around, 0xA5, sizeof around);
    TELL(number, beryl_mailbox_receive(mailbox, around + BEFORE, bytes, BERYL_POLL));
    words(number, around + BEFORE, bytes);
    TELL(number, kept(bytes));
}

/* One that is as long as it must be, beside some that aren't: nothing is sent, nothing comes, and nothing is written. */
static void lengths(int number, const beryl_mailbox *mailbox, uint32_t bytes) {
    uint8_t came[20];
    __builtin_memset(came, 0x5A, sizeof came);
    TELL(number, beryl_mailbox_send(mailbox, came, bytes - 1, BERYL_POLL));
    TELL(number, beryl_mailbox_send(mailbox, came, bytes + 1, BERYL_POLL));
    TELL(number, beryl_mailbox_send(mailbox, came, 0, BERYL_POLL));
    TELL(number, beryl_mailbox_send(mailbox, came, bytes, BERYL_LONGEST_WAIT + 1));
    TELL(number, beryl_mailbox_receive(mailbox, came, bytes, BERYL_POLL));
    TELL(number, beryl_mailbox_receive(mailbox, came, bytes, BERYL_LONGEST_WAIT + 1));
    TELL(number, beryl_mailbox_send(mailbox, shifted(came, 0), bytes, BERYL_POLL));
    TELL(number, beryl_mailbox_receive(mailbox, came, bytes - 1, BERYL_POLL));
    TELL(number, came[0] == 0x5A);
    TELL(number, beryl_mailbox_receive(mailbox, came, bytes, BERYL_POLL));
}

/* Beside the code, where the kernel fetches nothing. */
static const int32_t constant[4] = {11, 12, 13, 14};
/* In the process's memory. */
static int32_t variable[4] = {21, 22, 23, 24};

static void truths(void) {
    const uint8_t bytes[12] = {0, 1, 2, 255, 128, 0, 0, 7, 1, 1, 1, 3};
    through(6, &truths_object, bytes, sizeof bytes);
}

static void numbers(void) {
    /* A not-a-number with a sign and a content, and one that signals: both become the same one. */
    const uint32_t singles[2] = {0xFFC01234, 0x7F800001};
    through(4, &numbers_object, singles, sizeof singles);
    const uint64_t doubles[2] = {UINT64_C(0xFFF8000000000001), UINT64_C(0x8000000000000000)};
    through(5, &doubles_object, doubles, sizeof doubles);
}

/* What a server says, at any address. */
static void sums(void) {
    double reply[2] = {0, 0};
    int32_t request[4] = {1, 2, 3, 4};
    TELL(7, beryl_endpoint_call(&sums_object, request, sizeof request, reply, sizeof reply, BERYL_FOREVER));
    words(7, reply, sizeof reply);
    TELL(7, beryl_endpoint_call(&sums_object, constant, sizeof constant, reply, sizeof reply, BERYL_FOREVER));
    words(7, reply, sizeof reply);
    shifted(variable, sizeof variable);
    TELL(7, beryl_endpoint_call(&sums_object, around + BEFORE, 16, around + BEFORE, 16, BERYL_FOREVER));
    words(7, around + BEFORE, 16);
    TELL(7, kept(16));
    TELL(7, beryl_endpoint_call(&sums_object, request, 12, reply, sizeof reply, BERYL_FOREVER));
    TELL(7, beryl_endpoint_call(&sums_object, request, sizeof request, reply, 8, BERYL_FOREVER));
    for (int round = 0; round < 2; round++) {
        TELL(7, beryl_endpoint_call(&copies_object, request, 12, variable, 16, BERYL_FOREVER));
        words(7, variable, 16);
        request[0] += 10;
    }
}

static void states(void) {
    const uint32_t place[3] = {0x3F800000, 0xFFC01234, 0xBF800000};
    uint32_t came[3] = {0, 0, 0};
    TELL(8, beryl_state_write(&place_object, shifted(place, sizeof place), sizeof place));
    TELL(8, beryl_state_read(&place_object, came, sizeof came));
    words(8, came, sizeof came);
    __builtin_memset(around, 0xA5, sizeof around);
    TELL(8, beryl_state_read(&place_object, around + BEFORE, 12));
    words(8, around + BEFORE, 12);
    TELL(8, kept(12));
    TELL(8, beryl_state_write(&place_object, place, 8));
    const int32_t level = -7;
    TELL(8, beryl_state_write(&level_object, &level, sizeof level));
    TELL(8, beryl_state_read(&level_object, around + BEFORE, 4));
    TELL(8, kept(4));
    words(8, around + BEFORE, 4);
    TELL(8, beryl_state_read_slow(&level_object, around + BEFORE - 1, 4));
    words(8, around + BEFORE - 1, 4);
}

/* Two mailboxes of one type: each has its own. */
static void twins(void) {
    const int32_t sent[2][2] = {{5, 6}, {7, 8}};
    int32_t came[2];
    TELL(14, beryl_mailbox_send(&twin_object, sent[0], 8, BERYL_POLL));
    TELL(14, beryl_mailbox_send(&pair_object, sent[1], 8, BERYL_POLL));
    TELL(14, beryl_mailbox_receive(&twin_object, came, 8, BERYL_POLL));
    words(14, came, 8);
    TELL(14, beryl_mailbox_receive(&twin_object, came, 8, BERYL_POLL));
    TELL(14, beryl_mailbox_receive(&pair_object, came, 8, BERYL_POLL));
    words(14, came, 8);
}

void asker(beryl_period *period, pair_sender *a, pair_receiver *b, twin_sender *s, twin_receiver *t, words_sender *c, words_receiver *d, odd_sender *e, odd_receiver *f,
           numbers_sender *g, numbers_receiver *h, doubles_sender *i, doubles_receiver *j, truths_sender *k, truths_receiver *l,
           sums_client *m, copies_client *u, place_writer *n, place_reader *o, level_writer *p, level_reader *q, level_slow_reader *r) {
    (void)period, (void)s, (void)t, (void)u, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i;
    (void)j, (void)k, (void)l, (void)m, (void)n, (void)o, (void)p, (void)q, (void)r;
    const int32_t two[2] = {-1, 2};
    through(1, &pair_object, two, sizeof two);
    through(2, &words_object, constant, sizeof constant);
    through(2, &words_object, variable, sizeof variable);
    twins();
    const int16_t five[5] = {1, -2, 3, -4, 5};
    through(3, &odd_object, five, sizeof five);
    numbers();
    truths();
    sums();
    states();
    lengths(9, &pair_object, 8);
    lengths(10, &words_object, 16);
    lengths(11, &odd_object, 10);
    beryl_stop();
}

void server(sums_server *sums) {
    (void)sums;
    /* The first request comes to no multiple of four, and so does each second one. */
    uint8_t at[17];
    double reply[2];
    uint32_t odd = 1;
    beryl_status status = beryl_endpoint_receive(&sums_object, at + odd, 16, BERYL_FOREVER);
    while (status == BERYL_SUCCESS) {
        int32_t request[4];
        __builtin_memcpy(request, at + odd, sizeof request);
        reply[0] = request[0] + request[1];
        reply[1] = request[2] * request[3];
        odd = 1 - odd;
        status = beryl_endpoint_reply(&sums_object, reply, sizeof reply, at + odd, 16);
    }
    TELL(12, status);
}

/* Answers with what it was asked, and how often: all of it where the kernel can have it. */
void mirror(copies_server *copies) {
    (void)copies;
    int32_t request[3], reply[4] = {0, 0, 0, 0};
    beryl_status status = beryl_endpoint_receive(&copies_object, request, sizeof request, BERYL_FOREVER);
    while (status == BERYL_SUCCESS) {
        __builtin_memcpy(reply, request, sizeof request);
        reply[3]++;
        status = beryl_endpoint_reply(&copies_object, reply, sizeof reply, request, sizeof request);
    }
    TELL(12, status);
}

/* One that may receive, and neither send nor write nor call who asks for sums. */
void listener(words_receiver *words, place_reader *place) {
    (void)words, (void)place;
    int32_t four[4] = {1, 2, 3, 4};
    TELL(13, beryl_mailbox_send(&words_object, four, sizeof four, BERYL_POLL));
    TELL(13, beryl_mailbox_receive(&pair_object, four, 8, BERYL_POLL));
    TELL(13, beryl_mailbox_receive(&words_object, four, sizeof four, BERYL_POLL));
    TELL(13, beryl_endpoint_call(&sums_object, four, 16, four, 16, BERYL_POLL));
    TELL(13, beryl_endpoint_receive(&sums_object, four, 16, BERYL_POLL));
    TELL(13, beryl_endpoint_reply(&sums_object, four, 16, four, 16));
    TELL(13, beryl_state_write(&place_object, four, 12));
    TELL(13, beryl_state_read(&level_object, four, 4));
    TELL(13, beryl_state_read_slow(&place_object, four, 12));
    /* Kind and right are looked at before the length. */
    TELL(13, beryl_mailbox_send(&words_object, four, 1, BERYL_POLL));
    TELL(13, four[0] == 1 && four[3] == 4);
    beryl_stop();
}
