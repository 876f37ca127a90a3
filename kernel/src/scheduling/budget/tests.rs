//! Every order of what happens to a budget, beside a plain balance and how it stands.

use beryl_abi::Moment;

use super::{BOUNDLESS, BudgetState, Funds};
use crate::rows::budgets::Budget;

const AMOUNT: u32 = 5;
const HOLD: u32 = 4;

#[derive(Clone, Copy, Debug)]
enum Do {
    Pass(u32),
    Charge(u32),
    Lend,
    Hold,
    Spend,
    BeWhole,
    ComeBack,
    ComeBackLessDebt,
    GoOnAgain,
}

const ALL: [Do; 9] = [
    Do::Pass(3),
    Do::Charge(2),
    Do::Lend,
    Do::Hold,
    Do::Spend,
    Do::BeWhole,
    Do::ComeBack,
    Do::ComeBackLessDebt,
    Do::GoOnAgain,
];

/// What is left, and how it stands.
#[derive(Clone, Copy, Debug)]
struct Plain(i32, Funds);

impl Plain {
    fn act(&mut self, what: Do) {
        let Plain(left, funds) = self;
        match what {
            Do::Pass(ticks) | Do::Charge(ticks) if *funds != Funds::Spent => *left -= ticks as i32,
            Do::Pass(_) | Do::Charge(_) => {}
            Do::Lend => *funds = Funds::Lent,
            Do::Hold => *funds = Funds::Holding,
            Do::Spend => *funds = Funds::Spent,
            Do::BeWhole => *funds = Funds::Whole,
            Do::ComeBack => *self = Plain(AMOUNT as i32, Funds::Whole),
            Do::ComeBackLessDebt => *self = Plain(AMOUNT as i32 + (*left).min(0), Funds::Whole),
            Do::GoOnAgain if *left > 0 => *funds = Funds::Whole,
            Do::GoOnAgain => {}
        }
    }
}

fn act(budget: &mut BudgetState, what: Do) {
    match what {
        Do::Pass(ticks) => budget.pass(ticks),
        Do::Charge(ticks) => budget.charge(ticks),
        Do::Lend => budget.go_into_debt(Funds::Lent, HOLD),
        Do::Hold => budget.go_into_debt(Funds::Holding, HOLD),
        Do::Spend => budget.be_spent(),
        Do::BeWhole => budget.be_whole(),
        Do::ComeBack => budget.come_back(AMOUNT),
        Do::ComeBackLessDebt => budget.come_back_less_debt(AMOUNT, 9),
        Do::GoOnAgain => {
            budget.goes_on_again();
        }
    }
}

fn try_all(budget: BudgetState, plain: Plain, depth: u32) -> u32 {
    let Plain(left, funds) = plain;
    assert_eq!((budget.balance(), budget.funds()), (left, funds));
    let hold = HOLD as i32;
    match funds {
        Funds::Whole | Funds::Lent => assert_eq!(budget.allowed(), left),
        Funds::Holding => assert_eq!(budget.allowed(), left + hold),
        Funds::None | Funds::Spent => assert!(budget.allowed() <= BOUNDLESS && budget.allowed() > 1 << 30),
    }
    for is_own in [false, true] {
        for is_short in [false, true] {
            let mut asked = budget;
            let allowed = asked.allowed_alone(HOLD, is_own, |_| is_short);
            assert_eq!(
                (allowed, asked.balance()),
                (budget.allowed_of(|| left, || HOLD, is_own), left),
                "{plain:?}"
            );
        }
    }
    if depth == 0 {
        return 1;
    }
    let next = |what| {
        let (mut budget, mut plain) = (budget, plain);
        act(&mut budget, what);
        plain.act(what);
        try_all(budget, plain, depth - 1)
    };
    ALL.into_iter().map(next).sum()
}

#[test]
fn what_may_be_used_is_the_balance_of_the_plain_model() {
    let mut budget = BudgetState::NONE;
    budget.begin(&Budget { amount: AMOUNT, ..Budget::NONE }, Moment::from_ticks(0));
    assert_eq!(try_all(budget, Plain(AMOUNT as i32, Funds::Whole), 6), 9_u32.pow(6));
}
