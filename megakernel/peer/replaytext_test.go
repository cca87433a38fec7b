package peer

import (
	"errors"
	"strings"
	"testing"

	"vyretop/megakernel"
)

func TestWriteReplayLog(t *testing.T) {
	l, err := NewReplayLog(4)
	if err != nil {
		t.Fatal(err)
	}
	for i, op := range []uint32{megakernel.OpcodeBatchFence, 300} {
		if err := l.Append(ReplayRecord{Time: 1e18 + uint64(i)*1500, Slot: 7, Tenant: 2, Opcode: op, Args: [4]uint32{1, 2, 3, 4}, Epoch: 9}); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	want := strings.Join([]string{
		"replay log of the published peer: 2 of 4 records", "",
		"time   slot  tenant  opcode       arguments  epoch",
		"0s     7     2       BATCH_FENCE  [1 2 3 4]  9",
		"1.5µs  7     2       0x12c        [1 2 3 4]  9", "",
	}, "\n")
	if err := l.WriteText(&b); err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, &b, want)
	}
	short, err := OpenReplayLog(l.Bytes()[:100])
	if err != nil {
		t.Fatal(err)
	}
	if err := short.WriteText(&b); !errors.Is(err, ErrReplayShort) {
		t.Errorf("short: %v", err)
	}
}
