package megakernel

import "vyretop/tasks"

// Constant is one number that kernels and host share, under its name in GLSL.
type Constant struct {
	Name  string
	Value uint32
}

// ConstantGroup is a run of constants with a heading.
type ConstantGroup struct {
	Title     string
	Constants []Constant
}

// Constants lists everything the GLSL header defines, in its order. The header is generated from
// this list, so a number has its origin in Go alone.
func Constants() []ConstantGroup {
	return []ConstantGroup{
		{"Bindings", bindingConstants()},
		{"Tasks (package tasks)", taskConstants()},
		{"Control buffer", controlConstants()},
		{"Operations", opcodeConstants()},
		{"Debug log", logConstants()},
		{"Inbox and commands", inboxConstants()},
		{"Outbox, counters and acknowledgements", outboxConstants()},
		{"IO queue and pages", pageConstants()},
		{"Worker table", workerConstants()},
		{"Scheduler", schedConstants()},
		{"Breakpoints", breakConstants()},
		{"Faults and reasons", reasonConstants()},
	}
}

func bindingConstants() []Constant {
	return []Constant{
		{"BIND_CONTROL", BindControl}, {"BIND_RING", BindRing}, {"BIND_LOG", BindLog}, {"BIND_IO", BindIO},
		{"BIND_SCHED", BindSched}, {"BIND_INBOX", BindInbox}, {"BIND_OUTBOX", BindOutbox}, {"BIND_WORKERS", BindWorkers},
		{"BIND_USER", FirstUserBinding},
	}
}

func taskConstants() []Constant {
	return []Constant{
		{"SLOT_WORDS", tasks.SlotWords},
		{"STATE_EMPTY", uint32(tasks.Empty)}, {"STATE_READY", uint32(tasks.Ready)}, {"STATE_RUNNING", uint32(tasks.Running)},
		{"STATE_DONE", uint32(tasks.Done)}, {"STATE_PAUSED", uint32(tasks.Paused)}, {"STATE_YIELDED", uint32(tasks.Yielded)},
		{"STATE_REQUEUED", uint32(tasks.Requeued)}, {"STATE_FAULTED", uint32(tasks.Faulted)},
		{"FLAG_PAUSED", tasks.FlagPaused}, {"FLAG_YIELDED", tasks.FlagYielded},
		{"FLAG_REQUEUE_REQUESTED", tasks.FlagRequeueRequested}, {"FLAG_RESUME_READY", tasks.FlagResumeReady},
		{"FLAG_NOTIFY", tasks.FlagNotify}, {"FLAG_HALTED", tasks.FlagHalted},
		{"FLAG_ENDED", tasks.FlagEnded}, {"FLAG_STOP", tasks.FlagStop}, {"STOP_SHIFT", tasks.StopShift}, {"STOP_MASK", tasks.StopMask},
		{"REASON_SHIFT", tasks.ReasonShift}, {"REASON_MASK", tasks.ReasonMask}, {"WAIT_ANY", uint32(tasks.ReasonNone)}, {"WAIT_IO", uint32(tasks.ReasonIO)},
		{"WAIT_OUTPUT", uint32(tasks.ReasonOutput)}, {"WAIT_INPUT", uint32(tasks.ReasonInput)}, {"WAIT_COMMAND", uint32(tasks.ReasonCommand)},
		{"NUM_PRIORITIES", tasks.NumPriorities},
		{"PRIORITY_CRITICAL", uint32(tasks.Critical)}, {"PRIORITY_HIGH", uint32(tasks.High)},
		{"PRIORITY_NORMAL", uint32(tasks.Normal)}, {"PRIORITY_LOW", uint32(tasks.Low)}, {"PRIORITY_IDLE", uint32(tasks.Idle)},
		{"HELD_EPOCH", HeldEpoch}, {"SPAWNED_ID_BASE", SpawnedIDBase},
	}
}

func controlConstants() []Constant {
	return []Constant{
		{"CTRL_SHUTDOWN", CtrlShutdown}, {"CTRL_DONE_COUNT", CtrlDoneCount}, {"CTRL_TENANT_BASE", CtrlTenantBase},
		{"CTRL_TENANT_MASK0", CtrlTenantMask0}, {"CTRL_TENANT_QUOTA0", CtrlTenantQuota0},
		{"CTRL_TENANT_FAIR0", CtrlTenantFair0}, {"CTRL_METRICS0", CtrlMetrics0}, {"CTRL_EPOCH", CtrlEpoch},
		{"CTRL_STARVATION", CtrlStarvation}, {"CTRL_PRIORITY_FAIR0", CtrlPriorityFair0},
		{"CTRL_QUOTA_WAITS", CtrlQuotaWaits}, {"CTRL_RESERVED0", CtrlReserved0}, {"CTRL_OBSERVABLE0", CtrlObservable0}, {"TENANTS", Tenants}, {"METRIC_OPCODES", MetricOpcodes},
	}
}

func opcodeConstants() []Constant {
	return []Constant{
		{"OPCODE_NOP", OpcodeNop}, {"OPCODE_STORE", OpcodeStore}, {"OPCODE_ATOMIC_ADD", OpcodeAtomicAdd},
		{"OPCODE_LOAD", OpcodeLoad}, {"OPCODE_COMPARE_SWAP", OpcodeCompareSwap}, {"OPCODE_MEMCPY", OpcodeMemcpy},
		{"OPCODE_DFA_STEP", OpcodeDFAStep}, {"OPCODE_BATCH_FENCE", OpcodeBatchFence}, {"OPCODE_LOAD_MISS", OpcodeLoadMiss},
		{"OPCODE_PRINTF", OpcodePrintf}, {"OPCODE_PACKED_SLOT", OpcodePackedSlot}, {"OPCODE_SHUTDOWN", OpcodeShutdown},
		{"TASK_ARG_WORDS", TaskArgWords},
	}
}

func logConstants() []Constant {
	return []Constant{
		{"LOG_CURSOR", LogCursor}, {"LOG_HEADER_WORDS", LogHeaderWords}, {"LOG_RECORD_WORDS", LogRecordWords},
		{"LOG_SEQ", LogSeq}, {"LOG_FORMAT", LogFormat}, {"LOG_WORKER", LogWorker}, {"LOG_TASK", LogTask},
		{"LOG_OPCODE", LogOpcode}, {"LOG_TIME", LogTime}, {"LOG_ARGS", LogArgs}, {"LOG_ARG0", LogArg0},
		{"LOG_EVENT_BASE", LogEventBase}, {"LOG_OWN_KINDS", LogOwnKinds}, {"LOG_SAMPLED", LogSampled}, {"LOG_OWN_CURSOR", LogOwnCursor}, {"LOG_KINDS", LogKinds}, {"NUM_EVENTS", uint32(NumEvents)},
		{"EVENT_NONE", uint32(EventNone)}, {"EVENT_DONE", uint32(EventDone)}, {"EVENT_FAULT", uint32(EventFault)}, {"EVENT_YIELD", uint32(EventYield)},
		{"EVENT_REQUEUE", uint32(EventRequeue)}, {"EVENT_PAUSE", uint32(EventPause)}, {"EVENT_PRINTF", uint32(EventPrintf)}, {"EVENT_BREAK", uint32(EventBreak)},
	}
}

func inboxConstants() []Constant {
	out := []Constant{
		{"INBOX_SETTINGS", InboxSettings}, {"INBOX_RING", InboxRing}, {"INBOX_ENTRIES", InboxEntries},
		{"SETTING_SLICE", SettingSlice}, {"SETTING_WORKERS", SettingWorkers}, {"SETTING_LANES", SettingLanes},
		{"SETTING_ITERATIONS", SettingIterations}, {"SETTING_IDLE", SettingIdle},
		{"SETTING_ACTIVATION", SettingActivation}, {"SETTING_STARVATION", SettingStarvation},
		{"SETTING_LOG", SettingLog}, {"SETTING_PASSES", SettingPasses}, {"SETTING_ZERO", SettingZero}, {"SETTING_PASS_COST", SettingPassCost}, {"SETTING_SCHEDULE_COST", SettingScheduleCost},
		{"SETTING_PLAN_COST", SettingPlanCost}, {"SETTING_WAIT_COST", SettingWaitCost}, {"SETTING_URGENCY", SettingUrgency}, {"SETTING_AGING", SettingAging}, {"SETTING_POLLERS", SettingPollers}, {"SETTING_BURST", SettingBurst}, {"SETTING_BURST_END", SettingBurstEnd}, {"SETTING_LOG_EVERY", SettingLogEvery}, {"SETTING_LOG_OPCODES", SettingLogOpcodes}, {"SETTING_LOG_OPCODE0", SettingLogOpcode0}, {"NUM_SETTINGS", NumSettings}, {"SETTING_TICK_COST", SettingTickCost},
		{"COMMAND_RING", CommandRing}, {"COMMAND_WORDS", CommandWords},
		{"CMD_OP", CmdOp}, {"CMD_TASK_ID", CmdTaskID}, {"CMD_SLOT", CmdSlot}, {"CMD_ARG0", CmdArg0}, {"CMD_EXPECTED", CmdExpected}, {"CMD_WORKER", CmdWorker}, {"CMD_DESIRED", CmdDesired},
	}
	ops := []struct {
		name string
		op   CommandOp
	}{
		{"OP_PAUSE_TASK", OpPauseTask}, {"OP_RESUME_TASK", OpResumeTask}, {"OP_REQUEUE_TASK", OpRequeueTask},
		{"OP_REPRIORITIZE", OpReprioritize}, {"OP_PAUSE_WORKER", OpPauseWorker}, {"OP_RESUME_WORKER", OpResumeWorker},
		{"OP_STEP_WORKER", OpStepWorker}, {"OP_PAUSE_ALL", OpPauseAll}, {"OP_RESUME_ALL", OpResumeAll},
		{"OP_REAP", OpReap}, {"OP_REFRESH_TENANTS", OpRefreshTenants}, {"OP_MIRROR", OpMirror},
		{"OP_EDIT_TASK", OpEditTask}, {"OP_EDIT_CONTROL", OpEditControl},
	}
	for _, o := range ops {
		out = append(out, Constant{o.name, uint32(o.op)})
	}
	return out
}

func outboxConstants() []Constant {
	return []Constant{
		{"OUT_TASKS_TAKEN", OutTasksTaken}, {"OUT_COMMANDS_TAKEN", OutCommandsTaken}, {"OUT_COMPLETIONS", OutCompletions},
		{"OUT_ENDED_SLICE", OutEndedSlice}, {"OUT_END_REASON", OutEndReason}, {"OUT_RUNNABLE", OutRunnable}, {"OUT_EPOCHS_TAKEN", OutEpochsTaken},
		{"OUT_COUNTERS", OutCounters}, {"OUTBOX_RING", OutboxRing}, {"OUT_HITS", OutHits}, {"OUT_STAMPS", OutStamps},
		{"COUNT_IMPORTED", CountImported}, {"COUNT_SPAWNED", CountSpawned}, {"COUNT_DONE", CountDone},
		{"COUNT_FAULTED", CountFaulted}, {"COUNT_YIELDS", CountYields}, {"COUNT_REQUEUES", CountRequeues},
		{"COUNT_PAUSES", CountPauses}, {"COUNT_ACTIVATIONS", CountActivations}, {"COUNT_CLAIMS", CountClaims},
		{"COUNT_EMPTY", CountEmpty}, {"COUNT_STARVED", CountStarved}, {"COUNT_VIOLATIONS", CountViolations},
		{"COUNT_SPAWN_FULL", CountSpawnFull}, {"COUNT_PARKED", CountParked}, {"COUNT_REAPED", CountReaped}, {"NUM_COUNTERS", NumCounters},
		{"ACK_WORDS", AckWords}, {"ACK_SEQ", AckSeq}, {"ACK_RESULT", AckResult}, {"ACK_SLOT", AckSlot}, {"ACK_DETAIL", AckDetail},
		{"ACK_APPLIED", uint32(AckApplied)}, {"ACK_NOT_FOUND", uint32(AckNotFound)}, {"ACK_FINISHED", uint32(AckFinished)},
		{"ACK_BUSY", uint32(AckBusy)}, {"ACK_ILLEGAL", uint32(AckIllegal)}, {"ACK_BAD_ARGUMENT", uint32(AckBadArgument)}, {"ACK_CHANGED", uint32(AckChanged)},
		{"CHECK_WORDS", CheckWords}, {"COMPLETION_WORDS", CompletionWords}, {"COMPLETION_SEQ", CompletionSeq}, {"COMPLETION_TASK", CompletionTask},
		{"COMPLETION_STATE", CompletionState}, {"COMPLETION_CODE", CompletionCode}, {"COMPLETION_OUTPUT", CompletionOutput},
		{"COMPLETION_PARAM", CompletionParam}, {"COMPLETION_WORKER", CompletionWorker},
	}
}

func pageConstants() []Constant {
	return []Constant{
		{"IO_SLOTS", IOSlots}, {"IO_WORDS", IOWords},
		{"IO_OP", IOOp}, {"IO_SRC", IOSrc}, {"IO_DST", IODst}, {"IO_OFFSET_LO", IOOffsetLo}, {"IO_OFFSET_HI", IOOffsetHi},
		{"IO_BYTES", IOBytes}, {"IO_STATUS", IOStatus}, {"IO_TAG", IOTag}, {"IO_READ", IORead},
		{"IO_EMPTY", IOEmpty}, {"IO_PUBLISHED", IOPublished}, {"IO_CLAIMED", IOClaimed}, {"IO_OK", IOOK}, {"IO_ERROR", IOError},
		{"IO_PAGES", IOPages}, {"PAGE_WORDS", PageWords}, {"PAGE_SOURCE", PageSource},
		{"PAGE_OFFSET_LO", PageOffsetLo}, {"PAGE_OFFSET_HI", PageOffsetHi}, {"PAGE_BYTES", PageBytes},
		{"PAGER_PAGES", PagerPages}, {"PAGER_FRAMES", PagerFrames}, {"PAGER_FRAME_WORDS", PagerFrameWords}, {"PAGER_FRAME0", PagerFrame0},
		{"PAGER_HAND", PagerHand}, {"PAGER_STARVED", PagerStarved}, {"PAGER_TAKEN", PagerTaken}, {"PAGER_OWNERS", PagerOwners}, {"PAGER_RECORDS", PagerRecords},
		{"PAGE_RECORD_WORDS", PageRecordWords}, {"PAGE_STATE", PageState}, {"PAGE_FRAME", PageFrame}, {"PAGE_SLOT", PageSlot},
		{"PAGE_ABSENT", PageAbsent}, {"PAGE_BUSY", PageBusy}, {"PAGE_LOADING", PageLoading}, {"PAGE_RESIDENT", PageResident}, {"PAGE_FAILED", PageFailed},
		{"PAGE_FRESH", PageFresh}, {"PAGE_HOLD", PageHold},
	}
}

func workerConstants() []Constant {
	return []Constant{
		{"WORKER_WORDS", WorkerWords}, {"NO_SLOT", NoSlot},
		{"WK_STATE", WkState}, {"WK_SLOT", WkSlot},
		{"WK_HEARTBEAT", WkHeartbeat}, {"WK_LANES", WkLanes}, {"WK_SLICES", WkSlices}, {"WK_STEPS_LEFT", WkStepsLeft},
		{"WK_LANE_SUM", WkLaneSum}, {"WK_ITERATIONS", WkIterations}, {"WK_STEP_SLOT", WkStepSlot}, {"WK_UNIT", WkUnit}, {"WK_TICKS", WkTicks}, {"WK_HANDLER_TICKS", WkHandler}, {"WK_IDLE_TICKS", WkIdle},
		{"WK_CURSOR0", WkCursor0}, {"WK_COUNTS", WkCounts}, {"WK_STEP_BEFORE", WkStepBefore}, {"WK_STEP_AFTER", WkStepAfter},
		{"WORKER_ABSENT", uint32(WorkerAbsent)}, {"WORKER_IDLE", uint32(WorkerIdle)},
		{"WORKER_RUNNING", uint32(WorkerRunning)}, {"WORKER_PAUSED", uint32(WorkerPaused)},
	}
}

func schedConstants() []Constant {
	return []Constant{
		{"LINE_WORDS", LineWords}, {"SCHED_POLL_LOCK", SchedPollLock}, {"SCHED_TASKS_TAKEN", SchedTasksTaken}, {"SCHED_TASKS_TOLD", SchedTasksTold},
		{"SCHED_CMDS_TAKEN", SchedCmdsTaken}, {"SCHED_EPOCHS_TAKEN", SchedEpochsTaken}, {"SCHED_FREE_CURSOR", SchedFreeCursor},
		{"SCHED_COMPLETIONS", SchedCompletions}, {"SCHED_SPAWN_ID", SchedSpawnID}, {"SCHED_END_SLICE", SchedEndSlice}, {"SCHED_ATTENTION", SchedAttention}, {"SCHED_PUBLISHING", SchedPublishing},
		{"SCHED_LOG_CURSOR", SchedLogCursor}, {"SCHED_LOG_KINDS", SchedLogKinds}, {"SCHED_MIRROR", SchedMirror}, {"SCHED_MIRROR_NEXT", SchedMirrorNext}, {"SCHED_MIRROR_DONE", SchedMirrorDone},
		{"SCHED_MIRROR_STAMP", SchedMirrorStamp}, {"SCHED_MIRROR_HELPERS", SchedMirrorHelpers},
		{"NOTE_TAKEN", NoteTaken}, {"NOTE_RAN", NoteRan}, {"NOTE_PLANS", NotePlans}, {"NOTE_ASLEEP", NoteAsleep}, {"NOTE_WORDS", NoteWords}, {"SCHED_APEX", SchedApex}, {"SCHED_PENDING", SchedPending}, {"SCHED_ALLOWED", SchedAllowed},
		{"SCHED_EPOCH", SchedEpoch}, {"SCHED_SWEEP", SchedSweep}, {"SCHED_SWEPT", SchedSwept},
		{"SCHED_PAUSE_ALL", SchedPauseAll}, {"PAUSE_FLAG", PauseFlag}, {"PAUSE_COUNT_BITS", PauseCountBits}, {"SCHED_EXITED", SchedExited}, {"SCHED_STARTED", SchedStarted}, {"SCHED_PAUSE_OWED", SchedPauseOwed}, {"SCHED_SINGLED", SchedSingled},
		{"SCHED_SKIP0", SchedSkip0}, {"SCHED_TOTALS", SchedTotals}, {"SCHED_METRICS", SchedMetrics},
		{"SCHED_TENANTS", SchedTenants}, {"SCHED_SERVED", SchedServed}, {"SCHED_QUOTAS", SchedQuotas},
		{"SCHED_PERMITTED", SchedPermitted}, {"SCHED_METERED", SchedMetered}, {"SCHED_ACTIVE", SchedActive}, {"SCHED_ROUND", SchedRound}, {"DEFAULT_QUOTA", DefaultQuota}, {"QUOTA_SPAN", QuotaSpan},
		{"SCHED_WORKER0", SchedWorker0}, {"MAX_WORKERS", MaxWorkers}, {"WORKER_CONTROL_WORDS", WorkerControlWords},
		{"WC_PAUSE", WcPause}, {"WC_STEPS", WcSteps}, {"WC_REQUEST", WcRequest}, {"WC_ARRIVED", WcArrived},
		{"SET_READY0", SetReady0}, {"SET_PARKED", SetParked}, {"SET_RESTING", SetResting}, {"SET_FREE", SetFree}, {"NUM_SETS", NumSets},
		{"SET_TOP", SetTop}, {"SET_MID", SetMid},
	}
}

func reasonConstants() []Constant {
	return []Constant{
		{"FAULT_UNKNOWN_OPCODE", uint32(FaultUnknownOpcode)}, {"FAULT_TENANT_RANGE", uint32(FaultTenantRange)},
		{"FAULT_BUDGET", uint32(FaultBudget)}, {"FAULT_PRIORITY", uint32(FaultPriority)}, {"FAULT_STATE", uint32(FaultState)},
		{"FAULT_COUNTER", uint32(FaultCounter)}, {"FAULT_OUTCOME", uint32(FaultOutcome)}, {"FAULT_PACKED", uint32(FaultPacked)},
		{"FAULT_PAGE", uint32(FaultPage)}, {"FAULT_USER", uint32(FaultUser)},
		{"END_ASKED", EndAsked}, {"END_ITERATIONS", EndIterations}, {"END_IDLE", EndIdle}, {"END_SERVICE", EndService},
	}
}
