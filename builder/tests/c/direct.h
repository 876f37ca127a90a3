/* The calls that functions in C make of the board's kernel themselves. Written by the builder; changes are lost. */
#pragma once
#pragma GCC system_header

#define BERYL_INSIDE static inline __attribute__((always_inline))
/* Of a function that the glue has, too: never compiled apart. */
#define BERYL_DIRECT extern inline __attribute__((gnu_inline, always_inline))

/* What the kernel answers in r0, r1 and r2. A call that did what it says leaves its number in r0. */
typedef struct beryl_answer {
    beryl_status status;
    uint32_t first, second;
} beryl_answer;

BERYL_INSIDE beryl_answer beryl_call(uint32_t number) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1");
    register uint32_t r2 __asm__("r2");
    __asm__ volatile("svc 0" : "+r"(r0), "=r"(r1), "=r"(r2) :  : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE beryl_answer beryl_call_1(uint32_t number, uint32_t in_r1) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1") = in_r1;
    register uint32_t r2 __asm__("r2");
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "=r"(r2) :  : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE beryl_answer beryl_call_2(uint32_t number, uint32_t in_r1, uint32_t in_r2) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1") = in_r1;
    register uint32_t r2 __asm__("r2") = in_r2;
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "+r"(r2) :  : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE beryl_answer beryl_call_3(uint32_t number, uint32_t in_r1, uint32_t in_r2, uint32_t in_r3) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1") = in_r1;
    register uint32_t r2 __asm__("r2") = in_r2;
    register uint32_t r3 __asm__("r3") = in_r3;
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(r3) : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE beryl_answer beryl_call_1_wait(uint32_t number, uint32_t in_r1, uint32_t in_r12) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1") = in_r1;
    register uint32_t r2 __asm__("r2");
    register uint32_t r12 __asm__("r12") = in_r12;
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "=r"(r2) : "r"(r12) : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE beryl_answer beryl_call_2_wait(uint32_t number, uint32_t in_r1, uint32_t in_r2, uint32_t in_r12) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1") = in_r1;
    register uint32_t r2 __asm__("r2") = in_r2;
    register uint32_t r12 __asm__("r12") = in_r12;
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(r12) : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE beryl_answer beryl_call_3_wait(uint32_t number, uint32_t in_r1, uint32_t in_r2, uint32_t in_r3, uint32_t in_r12) {
    register uint32_t r0 __asm__("r0") = number;
    register uint32_t r1 __asm__("r1") = in_r1;
    register uint32_t r2 __asm__("r2") = in_r2;
    register uint32_t r3 __asm__("r3") = in_r3;
    register uint32_t r12 __asm__("r12") = in_r12;
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(r3), "r"(r12) : "memory", "cc");
    return (beryl_answer){r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2};
}

BERYL_INSIDE bool beryl_is_too_long(beryl_wait wait) {
    return wait > UINT32_C(1073741824) && wait != UINT32_C(0xffffffff);
}

/* What a handle begins with: the object's number, or bits. Who has another thread's handle reads that thread's stack here. */
BERYL_INSIDE uint32_t beryl_own(const void *handle) {
    return *(const volatile uint8_t *)handle;
}

BERYL_INSIDE uint32_t beryl_own_bits(const void *handle) {
    return *(const volatile uint32_t *)handle;
}

BERYL_INSIDE uint32_t beryl_word(const void *at, uint32_t offset) {
    uint32_t word;
    __builtin_memcpy(&word, (const char *)at + offset, sizeof word);
    return word;
}

BERYL_INSIDE beryl_status beryl_put(beryl_answer answer, void *to) {
    if (answer.status > BERYL_OWNER_DIED) {
        return answer.status;
    }
    __builtin_memcpy(to, &answer.first, sizeof answer.first);
    return BERYL_SUCCESS;
}

BERYL_INSIDE beryl_status beryl_put_two(beryl_answer answer, void *to) {
    if (answer.status > BERYL_OWNER_DIED) {
        return answer.status;
    }
    const uint32_t words[2] = {answer.first, answer.second};
    __builtin_memcpy(to, words, sizeof words);
    return BERYL_SUCCESS;
}

BERYL_DIRECT void beryl_null(void) {
    beryl_call(0);
}

BERYL_DIRECT void beryl_yield(void) {
    beryl_call(1);
}

BERYL_DIRECT uint64_t beryl_time(void) {
    const beryl_answer time = beryl_call(5);
    return (uint64_t)time.second << 32 | time.first;
}

BERYL_DIRECT uint64_t beryl_execution_time(void) {
    const beryl_answer time = beryl_call(4);
    return (uint64_t)time.second << 32 | time.first;
}

BERYL_DIRECT beryl_status beryl_wait_period(beryl_period *period, uint32_t *missed) {
    (void)period;
    const beryl_answer answer = beryl_call_1(8, 255);
    return missed == 0 ? answer.status : beryl_put(answer, missed);
}

BERYL_DIRECT beryl_status beryl_wait_any(uint32_t bits, beryl_wait wait, uint32_t *set) {
    if (beryl_is_too_long(wait)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put(beryl_call_2_wait(21, 255, bits, wait), set);
}

beryl_status beryl_glue_far_call(far_client *beryl_handle, const int32_t *beryl_1, int32_t (*beryl_2)[3], beryl_wait beryl_3) __asm__("far_call");
BERYL_DIRECT beryl_status far_call(far_client *beryl_handle, const int32_t *beryl_1, int32_t (*beryl_2)[3], beryl_wait beryl_3) {
    const beryl_status beryl_came_to = beryl_call_3_wait(17, beryl_own(beryl_handle), (uint32_t)beryl_1, (uint32_t)beryl_2, beryl_3).status;
    return beryl_came_to == BERYL_BAD_ADDRESS ? beryl_glue_far_call(beryl_handle, beryl_1, beryl_2, beryl_3) : beryl_came_to;
}

beryl_status beryl_glue_far_receive(far_server *beryl_handle, int32_t *beryl_1, beryl_wait beryl_2) __asm__("far_receive");
BERYL_DIRECT beryl_status far_receive(far_server *beryl_handle, int32_t *beryl_1, beryl_wait beryl_2) {
    const beryl_status beryl_came_to = beryl_call_2_wait(18, beryl_own(beryl_handle), (uint32_t)beryl_1, beryl_2).status;
    return beryl_came_to == BERYL_BAD_ADDRESS ? beryl_glue_far_receive(beryl_handle, beryl_1, beryl_2) : beryl_came_to;
}

beryl_status beryl_glue_far_reply(far_server *beryl_handle, const int32_t (*beryl_1)[3], int32_t *beryl_2) __asm__("far_reply");
BERYL_DIRECT beryl_status far_reply(far_server *beryl_handle, const int32_t (*beryl_1)[3], int32_t *beryl_2) {
    const beryl_status beryl_came_to = beryl_call_3(19, beryl_own(beryl_handle), (uint32_t)beryl_1, (uint32_t)beryl_2).status;
    return beryl_came_to == BERYL_BAD_ADDRESS ? beryl_glue_far_reply(beryl_handle, beryl_1, beryl_2) : beryl_came_to;
}

BERYL_DIRECT void filled_broadcast(filled_condition *beryl_handle) {
    beryl_call_1(14, beryl_own(beryl_handle));
}

BERYL_DIRECT void filled_signal(filled_condition *beryl_handle) {
    beryl_call_1(13, beryl_own(beryl_handle));
}

beryl_status beryl_glue_letters_receive(letters_receiver *beryl_handle, int32_t (*beryl_1)[4], beryl_wait beryl_2) __asm__("letters_receive");
BERYL_DIRECT beryl_status letters_receive(letters_receiver *beryl_handle, int32_t (*beryl_1)[4], beryl_wait beryl_2) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    const beryl_status beryl_came_to = beryl_call_2_wait(16, beryl_own(beryl_handle), (uint32_t)beryl_1, beryl_2).status;
    return beryl_came_to == BERYL_BAD_ADDRESS ? beryl_glue_letters_receive(beryl_handle, beryl_1, beryl_2) : beryl_came_to;
}

beryl_status beryl_glue_letters_send(letters_sender *beryl_handle, const int32_t (*beryl_1)[4], beryl_wait beryl_2) __asm__("letters_send");
BERYL_DIRECT beryl_status letters_send(letters_sender *beryl_handle, const int32_t (*beryl_1)[4], beryl_wait beryl_2) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    const beryl_status beryl_came_to = beryl_call_2_wait(15, beryl_own(beryl_handle), (uint32_t)beryl_1, beryl_2).status;
    return beryl_came_to == BERYL_BAD_ADDRESS ? beryl_glue_letters_send(beryl_handle, beryl_1, beryl_2) : beryl_came_to;
}

BERYL_DIRECT void line_acknowledge(line_interrupt *beryl_handle) {
    beryl_call_1(22, beryl_own(beryl_handle));
}

BERYL_DIRECT beryl_status line_wait(line_interrupt *beryl_handle, beryl_wait beryl_1) {
    if (beryl_is_too_long(beryl_1)) {
        return BERYL_TOO_LONG;
    }
    return beryl_call_2_wait(21, beryl_own(beryl_handle), UINT32_C(0x2), beryl_1).status;
}

BERYL_DIRECT beryl_status near_call(near_client *beryl_handle, const int32_t *beryl_1, int32_t (*beryl_2)[2], beryl_wait beryl_3) {
    return beryl_put_two(beryl_call_3_wait(17, beryl_own(beryl_handle), beryl_word(beryl_1, 0), 0, beryl_3), beryl_2);
}

BERYL_DIRECT beryl_status near_receive(near_server *beryl_handle, int32_t *beryl_1, beryl_wait beryl_2) {
    return beryl_put(beryl_call_1_wait(18, beryl_own(beryl_handle), beryl_2), beryl_1);
}

BERYL_DIRECT beryl_status near_reply(near_server *beryl_handle, const int32_t (*beryl_1)[2], int32_t *beryl_2) {
    return beryl_put(beryl_call_3(19, beryl_own(beryl_handle), beryl_word(beryl_1, 0), beryl_word(beryl_1, 4)), beryl_2);
}

BERYL_DIRECT beryl_status ones_receive(ones_receiver *beryl_handle, int32_t *beryl_1, beryl_wait beryl_2) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put(beryl_call_1_wait(16, beryl_own(beryl_handle), beryl_2), beryl_1);
}

BERYL_DIRECT beryl_status ones_send(ones_sender *beryl_handle, const int32_t *beryl_1, beryl_wait beryl_2) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_call_3_wait(15, beryl_own(beryl_handle), beryl_word(beryl_1, 0), 0, beryl_2).status;
}

BERYL_DIRECT beryl_status pairs_receive(pairs_receiver *beryl_handle, int64_t *beryl_1, beryl_wait beryl_2) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put_two(beryl_call_1_wait(16, beryl_own(beryl_handle), beryl_2), beryl_1);
}

BERYL_DIRECT beryl_status pairs_send(pairs_sender *beryl_handle, const int64_t *beryl_1, beryl_wait beryl_2) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_call_3_wait(15, beryl_own(beryl_handle), beryl_word(beryl_1, 0), beryl_word(beryl_1, 4), beryl_2).status;
}

BERYL_DIRECT uint32_t ready_clear(ready_source *beryl_handle, uint32_t beryl_1) {
    return beryl_call_2(33, beryl_own(beryl_handle), beryl_1).first;
}

BERYL_DIRECT void ready_set(ready_source *beryl_handle, uint32_t beryl_1) {
    beryl_call_2(32, beryl_own(beryl_handle), beryl_1);
}

BERYL_DIRECT beryl_status ready_take_all(ready_waiter *beryl_handle, uint32_t beryl_1, beryl_wait beryl_2, uint32_t *beryl_3) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put(beryl_call_3_wait(34, beryl_own(beryl_handle), beryl_1, 3, beryl_2), beryl_3);
}

BERYL_DIRECT beryl_status ready_take_any(ready_waiter *beryl_handle, uint32_t beryl_1, beryl_wait beryl_2, uint32_t *beryl_3) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put(beryl_call_3_wait(34, beryl_own(beryl_handle), beryl_1, 2, beryl_2), beryl_3);
}

BERYL_DIRECT beryl_status ready_wait_all(ready_waiter *beryl_handle, uint32_t beryl_1, beryl_wait beryl_2, uint32_t *beryl_3) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put(beryl_call_3_wait(34, beryl_own(beryl_handle), beryl_1, 1, beryl_2), beryl_3);
}

BERYL_DIRECT beryl_status ready_wait_any(ready_waiter *beryl_handle, uint32_t beryl_1, beryl_wait beryl_2, uint32_t *beryl_3) {
    if (beryl_is_too_long(beryl_2)) {
        return BERYL_TOO_LONG;
    }
    return beryl_put(beryl_call_3_wait(34, beryl_own(beryl_handle), beryl_1, 0, beryl_2), beryl_3);
}

BERYL_DIRECT uint32_t tick_bits(tick_notification *beryl_handle) {
    return beryl_own_bits(beryl_handle);
}

BERYL_DIRECT void tick_notify(tick_notifier *beryl_handle) {
    beryl_call_2(20, beryl_own(beryl_handle), UINT32_C(0x1));
}

BERYL_DIRECT beryl_status tick_wait(tick_notification *beryl_handle, beryl_wait beryl_1) {
    if (beryl_is_too_long(beryl_1)) {
        return BERYL_TOO_LONG;
    }
    return beryl_call_2_wait(21, 255, beryl_own_bits(beryl_handle), beryl_1).status;
}

BERYL_DIRECT beryl_status units_signal(units_semaphore *beryl_handle) {
    return beryl_call_1(11, beryl_own(beryl_handle)).status;
}

BERYL_DIRECT beryl_status units_wait(units_semaphore *beryl_handle, beryl_wait beryl_1) {
    if (beryl_is_too_long(beryl_1)) {
        return BERYL_TOO_LONG;
    }
    return beryl_call_1_wait(10, beryl_own(beryl_handle), beryl_1).status;
}
