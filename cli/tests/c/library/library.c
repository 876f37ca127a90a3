/* What texts come to, told as sums of their letters, so that each letter and its place count. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TELL(number, value) beryl_tell(number, (uint32_t)(value))

/* FNV-1a, in 32 bits. */
static uint32_t sum(const char *text) {
    uint32_t sum = 2166136261u;
    for (; *text != 0; text++) {
        sum = (sum ^ (uint8_t)*text) * 16777619u;
    }
    return sum;
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

/* Each class of <ctype.h>, for each letter of seven bits. */
static uint32_t classes(void) {
    static int (*const all[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower,
                                      isprint, ispunct, isspace, isupper, isxdigit};
    uint32_t sum = 2166136261u;
    for (int letter = 0; letter < 128; letter++) {
        for (size_t one = 0; one < sizeof all / sizeof all[0]; one++) {
            sum = (sum ^ (all[one](letter) != 0)) * 16777619u;
        }
        sum = (sum ^ (uint32_t)(tolower(letter) + toupper(letter))) * 16777619u;
    }
    return sum;
}

static int shown(char *to, size_t room, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    const int length = vsnprintf(to, room, format, rest);
    va_end(rest);
    return length;
}

static int by_value(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

static void strings(void) {
    char text[32] = "speed=120;gear=3";
    TELL(1, strlen(text));
    TELL(1, strchr(text, ';') - text);
    TELL(1, strrchr(text, '=') - text);
    TELL(1, strstr(text, "gear") - text);
    TELL(1, strcspn(text, "0123456789"));
    TELL(1, strspn(text, "deps"));
    TELL(1, strpbrk(text, "g=") - text);
    TELL(1, strnlen(text, 4));
    TELL(1, (char *)memchr(text, '3', sizeof text) - text);
    TELL(2, sign(strcmp("abc", "abd")));
    TELL(2, sign(strncmp("abc", "abd", 2)));
    TELL(2, sign(memcmp("b", "a", 1)));
    TELL(2, sign(strcmp("", "")));
    char *rest = text;
    for (char *word = strtok_r(text, "=;", &rest); word != 0; word = strtok_r(0, "=;", &rest)) {
        TELL(3, sum(word));
    }
    char copy[16];
    strncpy(copy, "gearbox", sizeof copy);
    strncat(copy, " on fire and more", 5);
    memmove(copy + 1, copy, strlen(copy) + 1);
    TELL(4, sum(copy));
    strcpy(copy, "a");
    TELL(4, sum(strcat(copy, "b")));
    memset(copy, 'x', 3);
    copy[3] = 0;
    TELL(4, sum(copy));
}

static void numbers(void) {
    char text[64];
    TELL(5, snprintf(text, sizeof text, "%d|%5u|%-4x|%08X|%c|%s|%%", -42, 7u, 0x1fu, 0xBEEFu, 'z', "end"));
    TELL(5, sum(text));
    TELL(5, shown(text, sizeof text, "%lld %+d %05d %.3s", -1234567890123ll, 5, 42, "letters"));
    TELL(5, sum(text));
    TELL(5, snprintf(text, 4, "%d", 123456));
    TELL(5, sum(text));
    int count = 0, first = 0;
    unsigned second = 0;
    char word[8];
    TELL(6, sscanf("set 17 ff -3", "%7s %d %x %d", word, &first, &second, &count));
    TELL(6, sum(word));
    TELL(6, first);
    TELL(6, second);
    TELL(6, count);
    TELL(6, sscanf("none", "%d", &first));
    static const int sorted[] = {-5, 0, 3, 8, 13};
    const int wanted = 8, absent = 4;
    TELL(7, (const int *)bsearch(&wanted, sorted, 5, sizeof sorted[0], by_value) - sorted);
    TELL(7, bsearch(&absent, sorted, 5, sizeof sorted[0], by_value) == 0);
    const div_t halves = div(-7, 2);
    TELL(7, halves.quot);
    TELL(7, halves.rem);
    TELL(7, abs(-9));
}

/* Numbers from texts: each, and how much of the text it takes. */
static void whole(const char *text, int base) {
    char *end;
    TELL(10, strtol(text, &end, base));
    TELL(10, end - text);
    TELL(11, strtoul(text, &end, base));
    TELL(11, end - text);
    const long long wide = strtoll(text, 0, base);
    const unsigned long long positive = strtoull(text, 0, base);
    TELL(12, wide);
    TELL(12, wide >> 32);
    TELL(12, positive);
    TELL(12, positive >> 32);
}

static void whole_numbers(void) {
    static const struct {
        const char *text;
        int base;
    } all[] = {
        {" \t42x", 10}, {"-42", 10}, {"+0x1Fg", 0}, {"0x", 16}, {"017", 0}, {"zz", 36}, {"12", 1}, {"", 10}, {"-", 10},
        {"2147483647", 10}, {"2147483648", 10}, {"-2147483648", 10}, {"-2147483649", 10}, {"4294967295", 10},
        {"4294967296", 10}, {"-4294967296", 10}, {"9223372036854775807", 10}, {"9223372036854775808", 10},
        {"-9223372036854775809", 10}, {"18446744073709551615", 10}, {"18446744073709551616", 10},
        {"99999999999999999999999 and more", 10},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        whole(all[i].text, all[i].base);
    }
    TELL(13, atoi("-17 and"));
    TELL(13, atol("99999999999"));
    TELL(13, atoll("8589934593") >> 32);
}

void texts(void) {
    strings();
    numbers();
    whole_numbers();
    TELL(8, classes());
    for (;;) {
        beryl_sleep(BERYL_S(1));
    }
}

/* It comes between, in a process with a library of its own. */
void often(beryl_period *period) {
    for (uint32_t round = 0;; round++) {
        char text[24];
        snprintf(text, sizeof text, "round %u", round);
        if (round % 100 == 0) {
            TELL(9, sum(text));
        }
        beryl_wait_period(period, 0);
    }
}
