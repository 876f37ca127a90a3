/* The operations of `app/src` that C has, too: same names, same inputs, same results. What C leaves undefined isn't among them:
   divisions by zero, shifts by too much, and numbers that don't fit into an integer but by beryl_to_... */

typedef float f32;
typedef double f64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { BLOCK = 100, BLOCKS = 16, FIRST = 1000 };
#define ALL (-1)
#define NAMES (-2)
#define NONE UINT64_C(0xDEADBEEF0BADCAFE)

/* From words and to words, as operation.rs does. */
#define INTEGER(type) \
    static type type##_of(u64 word) { return (type)word; } \
    static u64 word_of_##type(type value) { return (u64)value; }
INTEGER(i8) INTEGER(i16) INTEGER(i32) INTEGER(i64) INTEGER(u8) INTEGER(u16) INTEGER(u32) INTEGER(u64)

static f32 f32_of(u64 word) {
    u32 bits = (u32)word;
    f32 value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static f64 f64_of(u64 word) {
    f64 value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

static u64 word_of_f32(f32 value) {
    u32 bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : UINT32_C(0x7FC00000);
}

static u64 word_of_f64(f64 value) {
    u64 bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : UINT64_C(0x7FF8000000000000);
}

/* OPERATION(type, function, answer's type, what) is a function of three words; `has` says whether there is a result. */
#define CHECKED(type, name, answer, has, what) \
    static u64 type##_##name(u64 first, u64 second, u64 third) { \
        type a = type##_of(first), b = type##_of(second), c = type##_of(third); \
        (void)a, (void)b, (void)c; \
        return (has) ? word_of_##answer((answer)(what)) : NONE; \
    }
#define OPERATION(type, name, answer, what) CHECKED(type, name, answer, 1, what)

#define BITS(type) ((int)sizeof(type) * 8)
/* A quotient that doesn't fit: -MIN. */
#define FITS(type) (b != 0 && !((type)-1 < 0 && b == (type)-1 && a == (type)((u64)1 << (BITS(type) - 1))))

#define INTEGERS(type) \
    OPERATION(type, wrapping_add, type, a + b) \
    OPERATION(type, wrapping_sub, type, a - b) \
    OPERATION(type, wrapping_mul, type, a * b) \
    OPERATION(type, wrapping_neg, type, -a) \
    OPERATION(type, wrapping_shl, type, a << (b & (BITS(type) - 1))) \
    OPERATION(type, wrapping_shr, type, a >> (b & (BITS(type) - 1))) \
    CHECKED(type, checked_div, type, FITS(type), a / b) \
    CHECKED(type, checked_rem, type, FITS(type), a % b) \
    OPERATION(type, and, type, a & b) \
    OPERATION(type, or, type, a | b) \
    OPERATION(type, xor, type, a ^ b) \
    OPERATION(type, not, type, ~a) \
    OPERATION(type, less, u8, a < b) \
    OPERATION(type, equal, u8, a == b) \
    OPERATION(type, min, type, a < b ? a : b) \
    OPERATION(type, max, type, a > b ? a : b) \
    OPERATION(type, as_i8, i8, a) \
    OPERATION(type, as_i16, i16, a) \
    OPERATION(type, as_i32, i32, a) \
    OPERATION(type, as_i64, i64, a) \
    OPERATION(type, as_u8, u8, a) \
    OPERATION(type, as_u16, u16, a) \
    OPERATION(type, as_u32, u32, a) \
    OPERATION(type, as_u64, u64, a) \
    OPERATION(type, as_f32, f32, a) \
    OPERATION(type, as_f64, f64, a)
INTEGERS(i8) INTEGERS(i16) INTEGERS(i32) INTEGERS(i64) INTEGERS(u8) INTEGERS(u16) INTEGERS(u32) INTEGERS(u64)

/* `f` ends the names of the mathematics of singles. A cast is defined where the number fits. */
#define FLOATS(type, f) \
    OPERATION(type, add, type, a + b) \
    OPERATION(type, sub, type, a - b) \
    OPERATION(type, mul, type, a * b) \
    OPERATION(type, div, type, a / b) \
    OPERATION(type, neg, type, -a) \
    OPERATION(type, product_and_sum, type, a * b + c) \
    OPERATION(type, sum_of_three, type, a + b + c) \
    OPERATION(type, less, u8, a < b) \
    OPERATION(type, at_most, u8, a <= b) \
    OPERATION(type, equal, u8, a == b) \
    OPERATION(type, unequal, u8, a != b) \
    OPERATION(type, min, type, a < b ? a : b) \
    OPERATION(type, max, type, a > b ? a : b) \
    CHECKED(type, cast_i32, i32, a > -2147483648.0 && a < 2147483647.0, a) \
    CHECKED(type, cast_u32, u32, a > -1.0 && a < 4294967295.0, a) \
    CHECKED(type, cast_i64, i64, a > -9223372036854775808.0 && a < 9223372036854775808.0, a) \
    CHECKED(type, cast_u64, u64, a > -1.0 && a < 18446744073709551616.0, a) \
    OPERATION(type, as_i8, i8, beryl_to_int8(a)) \
    OPERATION(type, as_i16, i16, beryl_to_int16(a)) \
    OPERATION(type, as_i32, i32, beryl_to_int32(a)) \
    OPERATION(type, as_i64, i64, beryl_to_int64(a)) \
    OPERATION(type, as_u8, u8, beryl_to_uint8(a)) \
    OPERATION(type, as_u16, u16, beryl_to_uint16(a)) \
    OPERATION(type, as_u32, u32, beryl_to_uint32(a)) \
    OPERATION(type, as_u64, u64, beryl_to_uint64(a)) \
    OPERATION(type, as_f32, f32, a) \
    OPERATION(type, as_f64, f64, a) \
    OPERATION(type, acos, type, beryl_acos##f(a)) \
    OPERATION(type, asin, type, beryl_asin##f(a)) \
    OPERATION(type, atan, type, beryl_atan##f(a)) \
    OPERATION(type, atan2, type, beryl_atan2##f(a, b)) \
    OPERATION(type, cbrt, type, beryl_cbrt##f(a)) \
    OPERATION(type, ceil, type, beryl_ceil##f(a)) \
    OPERATION(type, math_copysign, type, beryl_copysign##f(a, b)) \
    OPERATION(type, cos, type, beryl_cos##f(a)) \
    OPERATION(type, cosh, type, beryl_cosh##f(a)) \
    OPERATION(type, exp, type, beryl_exp##f(a)) \
    OPERATION(type, exp2, type, beryl_exp2##f(a)) \
    OPERATION(type, fabs, type, beryl_fabs##f(a)) \
    OPERATION(type, floor, type, beryl_floor##f(a)) \
    OPERATION(type, fma, type, beryl_fma##f(a, b, c)) \
    OPERATION(type, fmax, type, beryl_fmax##f(a, b)) \
    OPERATION(type, fmin, type, beryl_fmin##f(a, b)) \
    OPERATION(type, fmod, type, beryl_fmod##f(a, b)) \
    OPERATION(type, hypot, type, beryl_hypot##f(a, b)) \
    OPERATION(type, log, type, beryl_log##f(a)) \
    OPERATION(type, log2, type, beryl_log2##f(a)) \
    OPERATION(type, log10, type, beryl_log10##f(a)) \
    OPERATION(type, pow, type, beryl_pow##f(a, b)) \
    OPERATION(type, round, type, beryl_round##f(a)) \
    OPERATION(type, sin, type, beryl_sin##f(a)) \
    OPERATION(type, sinh, type, beryl_sinh##f(a)) \
    OPERATION(type, sqrt, type, beryl_sqrt##f(a)) \
    OPERATION(type, tan, type, beryl_tan##f(a)) \
    OPERATION(type, tanh, type, beryl_tanh##f(a)) \
    OPERATION(type, trunc, type, beryl_trunc##f(a))
FLOATS(f32, f) FLOATS(f64, )

/* The same lists once more, as rows of a table. */
typedef enum { INTEGER_INPUTS, SINGLE_INPUTS, DOUBLE_INPUTS } kind;
typedef struct {
    const char *name;
    kind kind;
    u64 (*run)(u64, u64, u64);
} operation;

static const operation OPERATIONS[] = {
#undef CHECKED
#define KIND_f32 SINGLE_INPUTS
#define KIND_f64 DOUBLE_INPUTS
#define KIND_i8 INTEGER_INPUTS
#define KIND_i16 INTEGER_INPUTS
#define KIND_i32 INTEGER_INPUTS
#define KIND_i64 INTEGER_INPUTS
#define KIND_u8 INTEGER_INPUTS
#define KIND_u16 INTEGER_INPUTS
#define KIND_u32 INTEGER_INPUTS
#define KIND_u64 INTEGER_INPUTS
#define CHECKED(type, name, answer, has, what) {#type " " #name, KIND_##type, type##_##name},
    INTEGERS(i8) INTEGERS(i16) INTEGERS(i32) INTEGERS(i64) INTEGERS(u8) INTEGERS(u16) INTEGERS(u32) INTEGERS(u64)
    FLOATS(f32, f) FLOATS(f64, )
};
enum { COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

/* Inputs, as inputs.rs draws them. */
static const u64 DOUBLES[32] = {
    0x0000000000000000, 0x0000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
    0x7FF8000000000000, 0x7FF8000012345678, 0x7FF0000000000001, 0x3FF0000000000000, 0x3FF0000000000001, 0x3FEFFFFFFFFFFFFF,
    0x3FE0000000000000, 0x3FDFFFFFFFFFFFFF, 0x3FF8000000000000, 0x4004000000000000, 0x405FE00000000000, 0x4060000000000000,
    0x40EFFFE000000000, 0x41DFFFFFFFC00000, 0x41DFFFFFFFE00000, 0x41E0000000000000, 0x41EFFFFFFFF00000, 0x41F0000000000000,
    0x4340000000000000, 0x43DFFFFFFFFFFFFF, 0x43E0000000000000, 0x43F0000000000000, 0x400921FB54442D18, 0x3FF921FB54442D18,
    0x40862E42FEFA39EF, 0x47EFFFFFF0000000,
};
static const u32 SINGLES[32] = {
    0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x7FC12345,
    0x7F800001, 0x3F800000, 0x3F800001, 0x3F7FFFFF, 0x3F000000, 0x3EFFFFFF, 0x3FC00000, 0x40200000,
    0x42FF0000, 0x43000000, 0x477FFF00, 0x4B000001, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF,
    0x4F800000, 0x5EFFFFFF, 0x5F000000, 0x5F800000, 0x40490FDB, 0x3FC90FDB, 0x42B17218, 0x00400000,
};

static u64 drawn(u64 *state) {
    u64 word = *state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

static u64 integer(u64 chance, u64 word) {
    u32 shift = chance >> 8 & 63;
    u64 power = UINT64_C(1) << shift;
    switch (chance & 3) {
        case 0: return power + (word & 3) - 2;
        case 1: return -power + (word & 3) - 2;
        case 2: return word;
        default: return word >> shift;
    }
}

static u64 real(u64 chance, u64 word) {
    u64 sign = word & UINT64_C(1) << 63;
    u64 fraction = word & UINT64_C(0x000FFFFFFFFFFFFF);
    u64 exponent = (991 + (chance >> 8 & 63)) << 52;
    switch (chance & 7) {
        case 0:
        case 1: return DOUBLES[chance >> 8 & 31] | sign;
        case 2: return word;
        case 3: return sign | exponent | (fraction & ~UINT64_C(0x3FFFFFFF)) | 0x10000000;
        case 4: return sign | fraction >> (chance >> 8 & 31);
        case 5: return sign | (1023 + (chance >> 8 & 31)) << 52 | (fraction & UINT64_C(0x000FC00000000000));
        default: return sign | exponent | fraction;
    }
}

static u32 single(u32 chance, u32 word) {
    u32 sign = word & UINT32_C(1) << 31;
    u32 fraction = word & 0x007FFFFF;
    u32 exponent = (95 + (chance >> 8 & 63)) << 23;
    switch (chance & 7) {
        case 0:
        case 1: return SINGLES[chance >> 8 & 31] | sign;
        case 2: return word;
        case 3: return sign | exponent | (fraction & ~UINT32_C(0xFFF)) | 0x800;
        case 4: return sign | fraction >> (chance >> 8 & 15);
        case 5: return sign | (127 + (chance >> 8 & 31)) << 23 | (fraction & 0x007E0000);
        default: return sign | exponent | fraction;
    }
}

static u64 one(u64 *state, kind kind) {
    u64 chance = drawn(state), word = drawn(state);
    switch (kind) {
        case INTEGER_INPUTS: return integer(chance, word);
        case SINGLE_INPUTS: return single((u32)chance, (u32)word);
        default: return real(chance, word);
    }
}

static u64 after(u64 *state, u64 last, kind kind) {
    switch (drawn(state) & 15) {
        case 0: return last;
        case 1: return last ^ UINT64_C(1) << (kind == SINGLE_INPUTS ? 31 : 63);
        case 2: return last + 1;
        default: return one(state, kind);
    }
}

/* Does an operation with the next three inputs, which it leaves behind. */
static u64 next(u64 *state, const operation *operation, u64 inputs[3]) {
    inputs[0] = one(state, operation->kind);
    inputs[1] = after(state, inputs[0], operation->kind);
    inputs[2] = after(state, inputs[1], operation->kind);
    return operation->run(inputs[0], inputs[1], inputs[2]);
}

static u64 start(u32 block) {
    return (u64)block << 32 | 0xBE5171;
}

/* Byte by byte: there is no strlen. */
static void print_name(const char *name) {
    for (; *name; name++) {
        char letter = *name;
        beryl_print(&letter, 1);
    }
}

static void print_word(u64 word) {
    char digits[17] = " ";
    for (int place = 0; place < 16; place++) {
        digits[1 + place] = "0123456789abcdef"[word >> (60 - 4 * place) & 15];
    }
    beryl_print(digits, 17);
}

static void print_number(u32 number) {
    char digits[10];
    u32 count = 0;
    do {
        digits[9 - count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    beryl_print(digits + 10 - count, count);
}

static void tell_of(u32 number, const operation *operation) {
    for (u32 block = 1; block <= BLOCKS; block++) {
        u64 state = start(block), hash = UINT64_C(0xCBF29CE484222325), inputs[3];
        for (int count = 0; count < BLOCK; count++) {
            u64 mixed = (hash ^ next(&state, operation, inputs)) * UINT64_C(0x00000100000001B3);
            hash = mixed ^ mixed >> 29;
        }
        beryl_tell((uint16_t)number, (u32)(hash ^ hash >> 32));
        beryl_spend(25);
    }
}

static void show(const operation *operation, u32 block) {
    u64 state = start(block), inputs[3];
    for (int count = 0; count < BLOCK; count++) {
        u64 result = next(&state, operation, inputs);
        print_name(operation->name);
        beryl_print(":", 1);
        for (int place = 0; place < 3; place++) {
            print_word(inputs[place]);
        }
        beryl_print(" ->", 3);
        print_word(result);
        beryl_print("\n", 1);
        beryl_spend(25);
    }
}

void in_c(void) {
    i32 choice[2] = {ALL, 0};
    beryl_environment_read(0, choice, sizeof choice);
    for (int number = 0; number < COUNT; number++) {
        if (choice[0] == ALL) {
            tell_of((u32)(FIRST + number), &OPERATIONS[number]);
        } else if (choice[0] == NAMES) {
            print_number((u32)(FIRST + number));
            beryl_print(" ", 1);
            print_name(OPERATIONS[number].name);
            beryl_print("\n", 1);
        } else if (choice[0] == FIRST + number) {
            show(&OPERATIONS[number], (u32)choice[1]);
        }
    }
    beryl_stop();
}
