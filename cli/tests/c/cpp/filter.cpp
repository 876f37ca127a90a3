/* A filter of two kinds behind one face; its mean goes to whoever counts. */
#include <string.h>

namespace {

class Filter {
public:
    virtual int32_t next(int32_t value) = 0;
};

template <int length>
class Mean : public Filter {
public:
    constexpr Mean() = default;
    int32_t next(int32_t value) override {
        sum_ += value - kept_[place_];
        kept_[place_] = value;
        place_ = (place_ + 1) % length;
        return sum_ / length;
    }

private:
    int32_t kept_[length] = {};
    int32_t sum_ = 0;
    int place_ = 0;
};

class Limit : public Filter {
public:
    constexpr explicit Limit(int32_t most) : most_(most) {}
    int32_t next(int32_t value) override { return value > most_ ? most_ : value; }

private:
    int32_t most_;
};

Mean<4> mean;
Limit limit(20);
Filter *const filters[] = {&mean, &limit};

struct Letter {
    uint32_t round;
    int32_t value;
};

template <typename Value>
void put(const beryl_mailbox &box, const Value &value) {
    static_assert(sizeof(Value) == 8, "a letter");
    beryl_tell(1, beryl_mailbox_send(&box, &value, sizeof value, BERYL_POLL));
}

}  // namespace

void filter(beryl_period *period, letters_sender *letters) {
    (void)letters;
    for (uint32_t round = 0; round < 8; round++) {
        int32_t value = static_cast<int32_t>(round * round);
        for (Filter *filter : filters) {
            value = filter->next(value);
        }
        put(letters_object, Letter{round, value});
        beryl_wait_period(period, nullptr);
    }
    beryl_tell(3, static_cast<uint32_t>(strlen("done")));
}
