//! The cases of ARM's validation suite of CMSIS-RTOS2, as scenes of our own in `c/cmsis_validation`: what each tells, and the page that names
//! them all, `docs/reference/cmsis-validation.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::common::{beryl, folder, lock, root};
use super::{ERROR, LATE, OK, PARAMETER, RESOURCE, told};

/// A scene's number, the cases it stands for without their `TC_`, and what it tells.
type Scene = (u16, &'static str, &'static [i32]);

/// A thread that is ready, runs, waits, or has ended and may be joined.
const READY: i32 = 1;
const RUNS: i32 = 2;
const BLOCKED: i32 = 3;
const ENDED: i32 = 4;

const SCENES: &[Scene] = &[
    (80, "osKernelInitialize_1 osKernelStart_1", &[ERROR, 2, ERROR]),
    (81, "osKernelGetInfo_1", &[OK, 1, OK, 1, OK, 1, OK, 1]),
    (
        82,
        "osKernelGetState_1 osKernelLock_1 osKernelUnlock_1 osKernelRestoreLock_1",
        &[2, 0, 3, 1, 3, 1, 2, 0, 2, 1, 3, 0, 2],
    ),
    (
        83,
        "osKernelGetTickCount_1 osKernelGetTickFreq_1 osKernelGetSysTimerCount_1 osKernelGetSysTimerFreq_1",
        &[1, 100, 1, 1000, 1],
    ),
    (84, "GenWaitBasic", &[OK, 10, OK, 20, OK, 1000]),
    // Made, and not ended by another.
    (
        85,
        "osThreadNew_1 osThreadNew_2 osThreadNew_3 osThreadNew_4 osThreadNew_5",
        &[1, 1, RESOURCE, 1, RESOURCE, 1, RESOURCE, 1, RESOURCE, 1, OK, RESOURCE],
    ),
    (86, "osThreadNew_6", &[48]),
    (87, "osThreadNew_7", &[77]),
    (88, "osThreadGetId_1", &[7]),
    (89, "ThreadMultiInstance", &[1, 1, 1, 1, 1]),
    (90, "ThreadNew", &[0, 1, 1, 1, 1, 1, 1, 0, 6, 0, 1, 1, 1, 1, 1, 1, 6, 18, 1]),
    (91, "ThreadAllocation", &[8, 1, 1]),
    (92, "osThreadGetState_1", &[RUNS, READY, RESOURCE, ERROR, ERROR]),
    (93, "osThreadGetState_2", &[BLOCKED, RESOURCE, OK, OK]),
    (94, "osThreadGetState_3", &[ENDED, OK]),
    (95, "osThreadGetStackSize_1", &[1024, 1024, 0]),
    (96, "osThreadGetCount_1 osThreadEnumerate_1", &[1, 3, 3, 2, 1]),
    (97, "osThreadExit_1", &[1, ERROR]),
    (98, "ThreadReturn", &[PARAMETER]),
    (99, "osThreadSetPriority_1", &[6, 6]),
    (100, "osThreadSetPriority_2", &[PARAMETER, PARAMETER, PARAMETER]),
    (101, "osThreadGetPriority_1", &[24, ERROR]),
    (102, "osThreadDetach_1 osThreadDetach_2", &[OK, RESOURCE, ENDED, OK, ERROR, RESOURCE, PARAMETER]),
    (103, "osThreadJoin_1", &[READY, OK, ERROR, 1, 2, 3, 4, 14, OK, 13, OK, 12, OK, 11, OK]),
    (104, "osThreadJoin_2", &[PARAMETER, RESOURCE, OK]),
    (105, "osThreadJoin_3", &[RESOURCE, PARAMETER]),
    (106, "osThreadYield_1", &[OK]),
    (107, "ThreadPriorityExec", &[10, 10, 10, 10, 10, 10, 5, 4, 3, 2, 1, 0, 20]),
    (108, "ThreadYield", &[1, 13, 2, 14, 3, 15, 21]),
    (
        109,
        "osThreadSuspend_1 osThreadResume_1 osThreadResume_2 ThreadSuspendResume",
        &[RESOURCE, RESOURCE, RESOURCE, PARAMETER, RESOURCE, RESOURCE, PARAMETER],
    ),
    (
        110,
        "osThreadTerminate_1 ThreadTerminate ThreadRestart",
        &[RESOURCE, READY, RESOURCE, BLOCKED, ERROR, 1],
    ),
    (111, "osThreadGetName_1", &[1; 5]),
    (112, "osEventFlagsGetName_1", &[1; 5]),
    (113, "osMutexGetName_1", &[1; 5]),
    (114, "osSemaphoreGetName_1", &[1; 5]),
    (115, "osMemoryPoolGetName_1", &[1; 5]),
    (116, "osMessageQueueGetName_1", &[1; 5]),
    (117, "osTimerGetName_1", &[1; 5]),
    (118, "EventFlagsAllocation", &[3, 1, 3]),
    (119, "MutexAllocation", &[3, 1, 3]),
    (120, "SemaphoreAllocation", &[3, 1, 3]),
    (121, "MemPoolAllocation", &[2, 1, 2]),
    (122, "MsgQAllocation", &[2, 1, 2]),
    (123, "TimerAllocation", &[3, 1, 3]),
    // What the other thread's call answers, what came, and a hundred more than the ticks that it took.
    (124, "ThreadFlagsCheckTimeout", &[0, 1, 110, 0, 1, 110]),
    (125, "EventFlagsCheckTimeout", &[0, 1, 110, 0, 1, 110, OK]),
    (126, "MutexCheckTimeout", &[OK, OK, OK, 110, OK, OK, OK, 110, OK]),
    (127, "SemaphoreCheckTimeout", &[OK, OK, 110, OK, OK, 110, OK]),
    (128, "MsgQCheckTimeout", &[OK, OK, 110, OK, OK, 110, OK]),
    (129, "ThreadFlagsMainThread", &[PARAMETER, 31, 31, 0]),
    (130, "ThreadFlagsChildThread", &[PARAMETER, 31, 31, 0]),
    (131, "ThreadFlagsChildToParent", &[31, 31, RESOURCE]),
    (132, "ThreadFlagsChildToChild", &[31, 31, 3]),
    (133, "ThreadFlagsWaitTimeout", &[RESOURCE, LATE, RESOURCE, LATE, 3, 7]),
    (134, "ThreadFlagsParam", &[PARAMETER; 4]),
    (
        135,
        "osEventFlagsNew_1 osEventFlagsNew_2 osEventFlagsNew_3 osEventFlagsDelete_1",
        &[1, OK, 1, OK, 1, OK, PARAMETER],
    ),
    (
        136,
        "osEventFlagsSet_1 osEventFlagsClear_1 osEventFlagsGet_1",
        &[0, 31, 1, 31, 0, PARAMETER, PARAMETER, 0, OK],
    ),
    (137, "osEventFlagsWait_1", &[1, 2, 3, 4, 5, 1, OK, PARAMETER, PARAMETER, PARAMETER]),
    (138, "EventFlagsInterThreads", &[31, 31, 3, OK, OK, OK]),
    (139, "EventFlagsWaitTimeout", &[RESOURCE, LATE, RESOURCE, LATE, 3, 7, OK]),
    (140, "EventFlagsDeleteWaiting", &[RESOURCE, PARAMETER, OK]),
    (
        141,
        "osMutexNew_1 osMutexNew_2 osMutexNew_3 osMutexNew_4 osMutexNew_5 osMutexNew_6 osMutexDelete_1",
        &[1, OK, 1, OK, 1, OK, 1, OK, 1, OK, 1, OK, PARAMETER],
    ),
    (142, "osMutexAcquire_1", &[OK, OK, OK, PARAMETER]),
    (143, "osMutexRelease_1", &[RESOURCE, OK, OK, OK, PARAMETER]),
    (144, "osMutexGetOwner_1", &[1, 1, 1]),
    (145, "osMutexAcquire_2", &[10, RESOURCE, LATE, 10, 1, OK]),
    (146, "MutexNestedAcquire", &[OK, 12, 8, OK, RESOURCE, OK]),
    (147, "MutexRobust", &[100, 1, RESOURCE, 100, 1, RESOURCE, OK]),
    // It runs as urgently as its waiter, but its priority is told as its own.
    (148, "MutexPrioInherit", &[OK, 24, 24, 32, 100, OK, 24, RESOURCE, OK]),
    // L, H, M.
    (149, "MutexPriorityInversion", &[1, 76, OK, 72, 77, OK, 14, OK]),
    (150, "MutexOwnership", &[10, RESOURCE, 1, RESOURCE, 10, 1, OK]),
    (
        151,
        "osSemaphoreNew_1 osSemaphoreNew_2 osSemaphoreNew_3 osSemaphoreDelete_1 SemaphoreCreateAndDelete",
        &[1, OK, 1, OK, 1, OK, 1, OK, 1, OK, 1, OK, 1, OK, 1, OK, PARAMETER],
    ),
    (152, "osSemaphoreAcquire_1", &[OK, OK, OK, OK, PARAMETER]),
    (153, "osSemaphoreRelease_1", &[RESOURCE, OK, RESOURCE, OK, PARAMETER]),
    (
        154,
        "osSemaphoreGetCount_1 SemaphoreObtainCounting SemaphoreObtainBinary",
        &[0, 255, 255, LATE, RESOURCE, 255, RESOURCE, OK, 1, 1, LATE, RESOURCE, 1, RESOURCE, OK],
    ),
    (155, "SemaphoreZeroCount", &[RESOURCE, OK, OK]),
    (156, "SemaphoreWaitForBinary SemaphoreWaitForCounting", &[1, 2, OK, OK, 3, 2, OK, OK]),
    (157, "SemaphoreWaitTimeout", &[OK, RESOURCE, 2, OK]),
    (
        158,
        "osMemoryPoolNew_1 osMemoryPoolNew_2 osMemoryPoolNew_3 osMemoryPoolDelete_1",
        &[1, OK, 1, OK, 1, OK, PARAMETER],
    ),
    (
        159,
        "osMemoryPoolAlloc_1 osMemoryPoolFree_1 osMemoryPoolGetCapacity_1 osMemoryPoolGetBlockSize_1 osMemoryPoolGetCount_1 \
         osMemoryPoolGetSpace_1",
        &[1, 4, 32, 1, 3, PARAMETER, PARAMETER, OK, 1, OK, 1, 0],
    ),
    (160, "MemPoolAllocAndFree MemPoolZeroInit", &[4, 1, 8, 4, 4, 1, 8, 4, OK]),
    (161, "MemPoolAllocAndFreeComb", &[1, 0, OK]),
    (
        162,
        "osMessageQueueNew_1 osMessageQueueNew_2 osMessageQueueNew_3 osMessageQueueDelete_1",
        &[1, OK, 1, OK, 1, OK, OK, OK, PARAMETER],
    ),
    (163, "osMessageQueuePut_1 osMessageQueueGet_1", &[OK, 2, OK, OK, PARAMETER, PARAMETER]),
    (
        164,
        "osMessageQueueGetCapacity_1 osMessageQueueGetMsgSize_1 osMessageQueueGetCount_1 osMessageQueueGetSpace_1 \
         osMessageQueueReset_1",
        &[16, 4, 1, 15, OK, 16, PARAMETER, 0],
    ),
    (165, "MsgQBasic", &[16, RESOURCE, LATE, 16, RESOURCE, LATE, 16, OK, 0, 16, OK]),
    (166, "MsgQWait", &[1, OK, 2, 2, OK]),
    (167, "osTimerNew_1 osTimerNew_2 osTimerNew_3", &[1, OK, 1, OK, 1, OK, 1, OK, 1]),
    (168, "osTimerStart_1", &[OK, 1, PARAMETER, OK, 5, PARAMETER, PARAMETER]),
    (169, "osTimerStart_2", &[OK, 1, 1, OK, 2]),
    (
        170,
        "osTimerStop_1 osTimerStop_2 osTimerIsRunning_1",
        &[1, OK, 0, RESOURCE, 1, OK, 0, RESOURCE, PARAMETER, 0],
    ),
    (171, "osTimerDelete_1", &[OK, OK, OK, OK, PARAMETER]),
    (172, "TimerOneShot", &[0, RESOURCE, OK, 1, 1, 1, RESOURCE, OK]),
    (173, "TimerPeriodic", &[0, RESOURCE, OK, 1, 3, OK, RESOURCE, OK]),
];

/// The thread that shows, and the one that calls what timers want, are left at the end.
const LAST: (u16, &[i32]) = (199, &[2]);

#[test]
fn the_cases_of_the_validation_suite_answer_alike_on_all_hosts() {
    let _lock = lock("cmsis_validation");
    let suite = folder().join("cmsis_validation.toml");
    let system = root().join("cli/tests/c/cmsis_validation");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"3s\"\nshows = \"C\"\ncompare = \"told\"\n",
        system.display()
    );
    fs::write(&suite, text).expect("written");
    let suite = suite.display().to_string();
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    beryl(&["conformance", &suite]).ended(0);
    let told = told("cmsis_validation");
    let expected = SCENES.iter().map(|(number, _, values)| (*number, *values)).chain([LAST]);
    let expected: BTreeMap<u16, Vec<i32>> =
        expected.map(|(number, values)| (number, values.to_vec())).collect();
    let wrong: Vec<_> = expected.iter().filter(|(number, values)| told.get(number) != Some(values)).collect();
    let came: Vec<_> = wrong.iter().map(|(number, _)| (number, told.get(number))).collect();
    assert!(wrong.is_empty(), "expected {wrong:?}\ncame {came:?}");
    assert_eq!(told.len(), expected.len(), "{told:?}");
}

/// A row of the page.
struct Row {
    case: String,
    from_handlers: bool,
    here: String,
    /// The file and the number of the scene, if there is one.
    scene: Option<(String, u16)>,
}

/// The page's rows: case, calls from handlers, what it demands, what is here, and the scene.
fn rows(page: &str) -> Vec<Row> {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let lines =
        page.lines().map(cells).filter(|cells| cells.get(1).is_some_and(|case| case.starts_with("`TC_")));
    let row = |cells: Vec<String>| {
        let [_, case, handlers, _, here, scene, _] = cells.as_slice() else {
            panic!("not a row of five: {cells:?}")
        };
        let scene = scene.split_once(' ').map(|(file, number)| {
            (file.trim_matches('`').to_owned(), number.parse().expect("the number of a scene"))
        });
        let case = case.trim_matches('`').trim_start_matches("TC_").to_owned();
        Row { case, from_handlers: handlers == "yes", here: here.clone(), scene }
    };
    lines.map(row).collect()
}

#[test]
fn the_page_names_each_case_once_with_the_scene_that_stands_for_it() {
    let page = fs::read_to_string(root().join("docs/reference/cmsis-validation.md")).expect("the page");
    let rows = rows(&page);
    let cases: BTreeSet<_> = rows.iter().map(|row| row.case.as_str()).collect();
    assert_eq!(cases.len(), rows.len(), "a case is named twice");
    let named = |row: &Row| row.scene.as_ref().map(|(_, number)| (row.case.clone(), *number));
    let on_page: BTreeSet<_> = rows.iter().filter_map(named).collect();
    let by_scenes = SCENES
        .iter()
        .flat_map(|(number, cases, _)| cases.split_whitespace().map(|case| (case.to_owned(), *number)))
        .collect();
    assert_eq!(on_page, by_scenes);
    for (file, number) in rows.iter().filter_map(|row| row.scene.as_ref()) {
        let path = root().join("cli/tests/c/cmsis_validation").join(file);
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let numbers = text.split(|letter: char| !letter.is_ascii_digit());
        assert!(numbers.into_iter().any(|word| word == number.to_string()), "{file} has no {number}");
    }
}

#[test]
fn the_page_counts_what_is_shown_and_what_is_refused() {
    let page = fs::read_to_string(root().join("docs/reference/cmsis-validation.md")).expect("the page");
    let rows = rows(&page);
    let count = |is: &str| rows.iter().filter(|row| row.here.split(':').next() == Some(is)).count();
    let [shown, in_part, refused] = ["shown", "in part", "refused"].map(count);
    assert_eq!(shown + in_part + refused, rows.len(), "a row says something else");
    let handlers = rows.iter().filter(|row| row.from_handlers).count();
    let all = rows.len();
    let stated = [
        (
            "docs/reference/cmsis-validation.md",
            format!("Of its {all} cases {shown} are shown, {in_part} in part, and {refused} are refused"),
        ),
        (
            "docs/reference/cmsis-validation.md",
            format!("{handlers} of them also call from interrupt handlers"),
        ),
        ("docs/reference/cmsis-rtos2.md", format!("{shown} of {all} whole, {in_part} in part")),
        ("CAVEATS.md", format!("{shown} of {all} whole, {in_part} in part")),
    ];
    for (file, sentence) in stated {
        let text = fs::read_to_string(root().join(file)).expect("a page");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&sentence), "{file} doesn't say {sentence:?}");
    }
    // What is refused without a scene has no call here, or calls from handlers only.
    let header = fs::read_to_string(root().join("builder/src/c/cmsis/cmsis_os2.h")).expect("the interface");
    for call in ["osKernelSuspend", "osKernelResume", "osThreadGetStackSpace"] {
        assert!(!header.contains(&format!("{call}(")), "{call} is there");
    }
}
