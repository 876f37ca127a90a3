/* Numbers from texts, as <stdlib.h> declares them under the names of the C library: the builder calls these instead of the library's, which keep
   what went wrong in `errno`. A long has 32 bits here, on all machines, so what doesn't fit becomes the same. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

/* A text as far as it is a number. */
typedef struct {
    uint64_t magnitude; /* at most what was asked for */
    int is_negative;
    int is_over; /* it is more */
} number;

/* What a digit is worth; too much for any base if it is none. */
static unsigned worth(char letter) {
    if (letter >= '0' && letter <= '9') {
        return (unsigned)(letter - '0');
    }
    const char small = (char)(letter | 0x20);
    return small >= 'a' && small <= 'z' ? (unsigned)(small - 'a') + 10 : 36;
}

/* Whether digits of base 16 follow behind their sign. */
static int is_hexadecimal(const char *text) {
    return text[0] == '0' && (text[1] | 0x20) == 'x' && worth(text[2]) < 16;
}

static number read(const char *text, char **end, int base, uint64_t most) {
    number read = {0, 0, 0};
    const char *at = text;
    while (isspace((unsigned char)*at)) {
        at += 1;
    }
    if (*at == '-' || *at == '+') {
        read.is_negative = *at == '-';
        at += 1;
    }
    if ((base == 0 || base == 16) && is_hexadecimal(at)) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    const char *const first = at;
    const int is_base = base >= 2 && base <= 36;
    for (unsigned digit; is_base && (digit = worth(*at)) < (unsigned)base; at += 1) {
        if (read.magnitude > (most - digit) / (unsigned)base) {
            read.is_over = 1;
        } else {
            read.magnitude = read.magnitude * (unsigned)base + digit;
        }
        if (read.is_over) {
            read.magnitude = most;
        }
    }
    if (end != 0) {
        *end = (char *)(uintptr_t)(at == first ? text : at);
    }
    return read;
}

/* Between the least number and the greatest. */
static int64_t with_sign(const char *text, char **end, int base, int64_t greatest) {
    const number it = read(text, end, base, (uint64_t)greatest + 1);
    const int is_least = it.is_over || it.magnitude > (uint64_t)greatest;
    if (it.is_negative) {
        return is_least ? -greatest - 1 : -(int64_t)it.magnitude;
    }
    return is_least ? greatest : (int64_t)it.magnitude;
}

/* A number with a sign counts from the greatest down. */
static uint64_t without_sign(const char *text, char **end, int base, uint64_t greatest) {
    const number it = read(text, end, base, greatest);
    return it.is_negative && !it.is_over ? (0 - it.magnitude) & greatest : it.magnitude;
}

long strtol(const char *text, char **end, int base) {
    return (long)with_sign(text, end, base, INT32_MAX);
}

unsigned long strtoul(const char *text, char **end, int base) {
    return (unsigned long)without_sign(text, end, base, UINT32_MAX);
}

long long strtoll(const char *text, char **end, int base) {
    return with_sign(text, end, base, INT64_MAX);
}

unsigned long long strtoull(const char *text, char **end, int base) {
    return without_sign(text, end, base, UINT64_MAX);
}

int atoi(const char *text) {
    return (int)strtol(text, 0, 10);
}

long atol(const char *text) {
    return strtol(text, 0, 10);
}

long long atoll(const char *text) {
    return strtoll(text, 0, 10);
}
