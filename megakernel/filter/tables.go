package filter

// WorkerColumns is the table of workers. Busy and age are measured from sample to sample.
var WorkerColumns = Table{
	{"id", Both, ID}, {"state", Both, Any}, {"task", Both, ID}, {"slot", Command, Number}, {"op", Both, Any}, {"opcode", Command, Any}, {"pc", Both, Number},
	{"beat", Command, Number}, {"acts", Both, Number}, {"done", Both, Number}, {"faulted", Command, Number}, {"yields", Both, Number}, {"requeues", Command, Number},
	{"pauses", Command, Number}, {"claims", Command, Number}, {"lanes", Both, Any}, {"idle", Both, Any}, {"slices", Command, Number}, {"unit", Both, Number}, {"device", Both, Number},
	{"age", Dashboard, Any}, {"busy", Dashboard, Any},
}

// TaskColumns is the table of tasks.
var TaskColumns = Table{
	{"id", Both, ID}, {"state", Both, Any}, {"priority", Both, Any}, {"op", Both, Any}, {"opcode", Command, Any}, {"pc", Both, Number}, {"data", Both, Number},
	{"epoch", Both, Number}, {"yields", Both, Number}, {"requeues", Both, Number}, {"age", Both, Any}, {"tenant", Both, Number}, {"parent", Both, ID},
	{"input", Command, Number}, {"output", Command, Number}, {"param", Command, Number}, {"flags", Command, Number}, {"slot", Both, Number}, {"device", Both, Number},
}

// LogColumns is the table of debug-log records. At is when the dashboard has read a record.
var LogColumns = Table{
	{"number", Both, Number}, {"ticks", Command, Number}, {"worker", Both, Number}, {"lane", Command, Number}, {"task", Both, ID}, {"op", Both, Any},
	{"opcode", Command, Any}, {"kind", Both, Any}, {"format", Command, Number}, {"text", Both, Any}, {"device", Command, Number},
	{"at", Dashboard, Any},
}

// EventColumns is the table of events of the host. Commands print the time in milliseconds under a name that says so.
var EventColumns = Table{
	{"number", Command, Number}, {"at_ms", Command, Number}, {"kind", Both, Any}, {"text", Both, Any},
	{"at", Dashboard, Any}, {"latency", Dashboard, Any},
}

// TargetColumns is the table of the targets of a fleet.
var TargetColumns = Table{
	{"name", Both, Any}, {"host", Both, Any}, {"device", Both, Any}, {"workload", Both, Any}, {"label", Both, Any}, {"run", Both, Any}, {"state", Both, Any}, {"verdict", Both, Any},
	{"stalled", Both, Any}, {"tasks_per_s", Both, Any}, {"busy_percent", Both, Any}, {"progress_percent", Both, Any}, {"done", Both, Any}, {"faulted", Both, Any}, {"fault_slots", Both, Any}, {"queue_depth", Both, Any},
	{"workers", Both, Any}, {"device_utilization_percent", Both, Any}, {"device_memory_used_bytes", Both, Any}, {"device_power_mw", Both, Any},
	{"device_temperature_c", Both, Any}, {"taken_ms", Both, Any}, {"heard_ms", Both, Any}, {"program", Both, Any}, {"id", Both, Any},
	{"trend", Dashboard, Any},
}
