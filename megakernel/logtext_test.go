package megakernel

import (
	"math"
	"testing"
)

func TestLogText(t *testing.T) {
	formats := []string{"plain", "%u %d %x %f", "100%% of %u%", "three %u %u %u", "%s?"}
	tests := []struct {
		name   string
		record LogRecord
		want   string
	}{
		{"no argument", LogRecord{Format: 0}, "plain"},
		{"every verb", LogRecord{Format: 1, ArgCount: 4, Args: [4]uint32{math.MaxUint32, math.MaxUint32, 255, math.Float32bits(-1.5)}}, "4294967295 -1 ff -1.5"},
		{"percent signs", LogRecord{Format: 2, ArgCount: 1, Args: [4]uint32{7}}, "100% of 7%"},
		{"missing arguments", LogRecord{Format: 3, ArgCount: 1, Args: [4]uint32{7}}, "three 7 ? ?"},
		{"unknown verb", LogRecord{Format: 4, ArgCount: 1, Args: [4]uint32{7}}, "7?"},
		{"unknown format", LogRecord{Format: 5, ArgCount: 2, Args: [4]uint32{7, 10}}, "format 5 [7 a]"},
		{"kernel event", LogRecord{Format: LogEventBase + uint32(EventPause), ArgCount: 2, Args: [4]uint32{3, 9}}, "pause until epoch 3 at pc 9"},
		{"fault of the kernel", LogRecord{Format: LogEventBase + uint32(EventFault), ArgCount: 1, Args: [4]uint32{uint32(FaultBudget)}}, "fault, code 0x3: its handler ran past the iteration budget"},
		{"fault of a handler", LogRecord{Format: LogEventBase + uint32(EventFault), ArgCount: 1, Args: [4]uint32{0x101}}, "fault, code 0x101"},
		{"fault of a line", LogRecord{Format: LogEventBase + uint32(EventFault), ArgCount: 2, Args: [4]uint32{0x101, 1<<16 | 70}}, "fault, code 0x101, three %u %u %u:70"},
		{"fault of an unknown file", LogRecord{Format: LogEventBase + uint32(EventFault), ArgCount: 2, Args: [4]uint32{0x101, 9<<16 | 70}}, "fault, code 0x101"},
		{"unknown kernel event", LogRecord{Format: LogEventBase + uint32(NumEvents)}, "format 1073741832 []"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.record.Text(formats); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEveryEventHasAFormat(t *testing.T) {
	seen := map[string]Event{}
	for e := EventNone; e < NumEvents; e++ {
		text, ok := FormatOf(LogEventBase+uint32(e), nil)
		if other, dup := seen[text]; !ok || text == "" || dup {
			t.Errorf("event %d has format %q (%v), as event %d", e, text, ok, other)
		}
		seen[text] = e
	}
}

// TestFilesStandBehindFormats: the ids of formats stay, and files are found by their number.
func TestFilesStandBehindFormats(t *testing.T) {
	formats := WithFiles([]string{"said %u"}, []string{"main", "a.glsl"})
	said := LogRecord{ArgCount: 1, Args: [4]uint32{3}}
	fault := LogRecord{Format: LogEventBase + uint32(EventFault), ArgCount: 2, Args: [4]uint32{0x101, 1<<16 | 7}}
	if got := said.Text(formats); got != "said 3" {
		t.Errorf("%q", got)
	}
	if got := fault.Source(formats); got != "a.glsl:7" {
		t.Errorf("%q", got)
	}
}
