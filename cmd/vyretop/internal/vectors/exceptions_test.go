package vectors

// exception is a place where ours differs from the peer on purpose.
type exception struct {
	reason string
	// skip tells the vectors that are not compared at all; nil for none.
	skip func(in, want any) bool
	// ignore lists the members of the output that are not compared.
	ignore []string
}

const malformed = "the peer says only that a buffer is malformed, ours says how"

// exceptions by file and operation. There are no others.
var exceptions = map[string]exception{
	"driver/decide_persistent_kernel": {
		reason: "the peer counts savings beyond 64 bits, 584 years of nanoseconds; ours saturates",
		skip: func(_, want any) bool {
			saved, _ := want.(map[string]any)["savings_ns"].(string)
			return len(saved) > len("18446744073709551615")
		},
	},
	"kernel/lane_iteration": {
		reason: "the peer runs tenants without a mask, and packed slots that do not fit; ours faults them. The layout of the log is ours",
		skip:   tookForeignSlot,
		ignore: []string{"debug_log_changes"},
	},
	"kernel/priority_scan": {
		reason: "the peer runs tenants without a mask; which slot a lane takes is ours to decide",
		skip:   tookForeignSlot,
		ignore: []string{"claimed_slot_base", "claimed_priority", "claimed_tenant"},
	},
	"publish/publish_slot": {
		reason: "a ring that is no whole number of slots is full to the peer, misaligned to us",
		ignore: []string{"variant"},
	},
	"scheduler/write_default_priority_offsets": {
		reason: "a short buffer is full to the peer, which writes what fits; ours says what is missing, and writes nothing",
		ignore: []string{"variant", "partial_nonzero_words"},
	},
	"telemetry/decode":           {reason: malformed, ignore: []string{"variant"}},
	"telemetry/control_snapshot": {reason: malformed, ignore: []string{"variant"}},
	"telemetry/try_health_since": {
		reason: "a fault hides a stall from the peer; ours reports both",
		skip:   func(in, _ any) bool { return in.(map[string]any)["occupancy"].(map[string]any)["fault"] != "0" },
	},
	"publish/window_publish": {
		reason: "the peer leaves the part of a window that it had published; ours publishes all of it or nothing",
		ignore: []string{"ring_hex_after"},
	},
}
