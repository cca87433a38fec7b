package filter

// WorkerColumns is the table of workers. Busy and age are measured from sample to sample.
var WorkerColumns = Table{
	{"id", Both}, {"state", Both}, {"task", Both}, {"slot", Command}, {"op", Both}, {"opcode", Command}, {"pc", Both},
	{"beat", Command}, {"acts", Both}, {"done", Both}, {"faulted", Command}, {"yields", Both}, {"requeues", Command},
	{"pauses", Command}, {"claims", Command}, {"lanes", Both}, {"idle", Both}, {"slices", Command}, {"unit", Both}, {"device", Both},
	{"age", Dashboard}, {"busy", Dashboard},
}

// TaskColumns is the table of tasks.
var TaskColumns = Table{
	{"id", Both}, {"state", Both}, {"priority", Both}, {"op", Both}, {"opcode", Command}, {"pc", Both}, {"data", Both},
	{"epoch", Both}, {"yields", Both}, {"requeues", Both}, {"age", Both}, {"tenant", Both}, {"parent", Both},
	{"input", Command}, {"output", Command}, {"param", Command}, {"flags", Command}, {"slot", Both}, {"device", Both},
}

// LogColumns is the table of debug-log records. At is when the dashboard has read a record.
var LogColumns = Table{
	{"number", Both}, {"ticks", Command}, {"worker", Both}, {"lane", Command}, {"task", Both}, {"op", Both},
	{"opcode", Command}, {"kind", Both}, {"format", Command}, {"text", Both}, {"device", Command},
	{"at", Dashboard},
}

// EventColumns is the table of events of the host. Commands print the time in milliseconds under a name that says so.
var EventColumns = Table{
	{"number", Command}, {"at_ms", Command}, {"kind", Both}, {"text", Both},
	{"at", Dashboard}, {"latency", Dashboard},
}

// TargetColumns is the table of the targets of a fleet.
var TargetColumns = Table{
	{"name", Both}, {"host", Both}, {"device", Both}, {"workload", Both}, {"label", Both}, {"run", Both}, {"state", Both}, {"verdict", Both},
	{"stalled", Both}, {"tasks_per_s", Both}, {"busy_percent", Both}, {"progress_percent", Both}, {"done", Both}, {"faulted", Both}, {"fault_slots", Both}, {"queue_depth", Both},
	{"workers", Both}, {"device_utilization_percent", Both}, {"device_memory_used_bytes", Both}, {"device_power_mw", Both},
	{"device_temperature_c", Both}, {"taken_ms", Both}, {"heard_ms", Both}, {"program", Both}, {"id", Both},
	{"trend", Dashboard},
}
