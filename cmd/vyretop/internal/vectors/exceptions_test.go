package vectors

import (
	"strings"
	"testing"
)

// exception is a place where ours differs from the peer on purpose.
type exception struct {
	reason string
	// when tells the vectors that it is about; nil for all of the operation.
	when func(in, want any) bool
	// ignore lists the members of the output that are not compared; nil for none of them.
	ignore []string
}

const (
	malformed = "the peer says only that a buffer is malformed; ours says how"
	foreign   = "the peer runs tenants without a mask, and packed slots that do not fit; ours faults them"
)

// exceptions by file and operation. There are no others.
var exceptions = map[string][]exception{
	"driver/decide_persistent_kernel": {{
		reason: "the peer counts savings beyond 64 bits, 584 years of nanoseconds; ours saturates",
		when: func(_, want any) bool {
			saved, _ := want.(map[string]any)["savings_ns"].(string)
			return len(saved) > len("18446744073709551615")
		},
		ignore: []string{"savings_ns"},
	}},
	"kernel/lane_iteration": {
		{reason: foreign, when: tookForeignSlot},
		{reason: "the layout of the log is ours", ignore: []string{"debug_log_changes"}},
	},
	"kernel/priority_scan": {
		{reason: foreign, when: tookForeignSlot},
		{reason: "which slot a lane takes is ours to decide", ignore: []string{"claimed_slot_base", "claimed_priority", "claimed_tenant"}},
	},
	"publish/publish_slot": {{
		reason: "a ring that is not a whole number of slots is full to the peer, misaligned to us",
		when:   func(in, _ any) bool { return len(in.(map[string]any)["ring_hex"].(string))%128 != 0 },
		ignore: []string{"variant"},
	}},
	"publish/window_publish": {{
		reason: "the peer leaves the part of a window that it had published; ours publishes all of it or nothing",
		ignore: []string{"ring_hex_after"},
	}},
	"scheduler/write_default_priority_offsets": {{
		reason: "a short buffer is full to the peer, which writes what fits; ours says what is missing, and writes nothing",
		ignore: []string{"variant", "partial_nonzero_words"},
	}},
	"telemetry/decode":           {{reason: malformed, ignore: []string{"variant"}}},
	"telemetry/control_snapshot": {{reason: malformed, ignore: []string{"variant"}}},
	"telemetry/try_health_since": {{
		reason: "a fault hides a stall from the peer; ours reports both",
		when:   func(in, _ any) bool { return in.(map[string]any)["occupancy"].(map[string]any)["fault"] != "0" },
		ignore: []string{"suspected_stall"},
	}},
}

// excepted lists the members that are not compared for a vector; whole means that none is.
func excepted(name string, in, want any) (members []string, whole bool) {
	for _, e := range exceptions[name] {
		if e.when == nil || e.when(in, want) {
			members = append(members, e.ignore...)
			whole = whole || e.ignore == nil
		}
	}
	return members, whole
}

// TestExceptions: every exception is about an existing operation, and says why it is one.
func TestExceptions(t *testing.T) {
	for name, list := range exceptions {
		file, opName, _ := strings.Cut(name, "/")
		for _, e := range list {
			if operations[file][opName] == nil || e.reason == "" || e.when == nil && e.ignore == nil {
				t.Errorf("exception %s: no such operation, no reason, or no limit", name)
			}
		}
	}
}
