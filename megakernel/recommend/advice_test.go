package recommend

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

// TestRequestRoundTrip: what the document says was asked can be asked again.
func TestRequestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := policy.Request{
			QueueLen: rapid.Uint32().Draw(t, "queue"), RequeueCount: rapid.Uint64().Draw(t, "requeues"),
			Workload: policy.Workload{ResidentDeviceBytes: rapid.Uint64().Draw(t, "resident"), DeviceMemoryBudgetBytes: rapid.Uint64().Draw(t, "budget"), MemoryPressureBps: rapid.Uint16().Draw(t, "memory")},
			Limits:   policy.MinimumLimits,
		}
		text, err := json.Marshal(requestOf(&want))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ReadRequest("x", text, &policy.Request{}); err != nil || got != want {
			t.Fatalf("%s became %+v, %v", text, got, err)
		}
	})
}

func TestWideNumbers(t *testing.T) {
	tests := []struct {
		n    wide
		text string
	}{{0, "0"}, {1 << 53, "9007199254740992"}, {1<<53 + 1, `"9007199254740993"`}, {1<<64 - 1, `"18446744073709551615"`}}
	for _, tt := range tests {
		var back wide
		text, err := json.Marshal(tt.n)
		if err != nil || string(text) != tt.text || json.Unmarshal(text, &back) != nil || back != tt.n {
			t.Errorf("%d: %s, %v, back %d", tt.n, text, err, back)
		}
	}
	for _, text := range []string{`"-1"`, `"1.5"`, `"x"`, `""`, `true`, `"18446744073709551616"`, `"nu\"ll"`} {
		var n wide
		if err := json.Unmarshal([]byte(text), &n); err == nil {
			t.Errorf("%s became %d", text, n)
		}
	}
}

// FuzzReadRequest: any text is a request or a typed error that says what to do.
func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"queue_len": 3, "requeue_count": "18446744073709551615"}`))
	f.Add([]byte(`{"requeue_count": "`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := ReadRequest("x", text, &policy.Request{})
		if err != nil && (!errors.Is(err, policy.ErrInput) || !strings.Contains(err.Error(), "Fix: ")) {
			t.Errorf("%v", err)
		}
	})
}

// TestFromRecording takes a request from every snapshot of the recording of scan.
func TestFromRecording(t *testing.T) {
	rec, err := fixtures.Open("../../fixtures/testdata/scan.mcap")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	start, _ := rec.Span()
	if _, err := FromRecording(rec.Header().Profile, rec, start-1, nil); !errors.Is(err, policy.ErrInput) {
		t.Errorf("before the first snapshot: %v", err)
	}
	busy, standard := 0, policy.StandardPolicy()
	for i := range rec.Snapshots() {
		s, at, err := rec.SnapshotNumber(i)
		if err != nil {
			t.Fatal(err)
		}
		r, err := FromRecording(rec.Header().Profile, rec, at, nil)
		if err != nil || r.Groups != uint32(s.Workers) || r.GraphNodes != 0 {
			t.Fatalf("at %v: %+v, %v", at, r, err)
		}
		if _, err := standard.Recommend(&r, policy.NoTopology); err != nil {
			t.Errorf("at %v: %v", at, err)
		}
		if r.QueueLen > 0 {
			busy++
		}
	}
	if busy == 0 {
		t.Error("the queue was never seen")
	}
}

// TestTasksOfOneTicketAreAWindow: a request counts the windows of four tasks or more, of the opcodes that are windows.
func TestTasksOfOneTicketAreAWindow(t *testing.T) {
	control, err := megakernel.EncodeControl(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &megakernel.Snapshot{Control: control}
	for i := range 10 { // tickets 0 and 1 of opcode 20: four tasks, two of opcode 21 each
		w := (&tasks.Task{State: tasks.Ready, Opcode: 20 + uint32(i)/8, InputHandle: uint32(i % 2)}).Words()
		s.Slots = append(s.Slots, w[:]...)
	}
	for name, tt := range map[string]struct {
		windows []uint32
		want    uint32
	}{"of no opcode": {nil, 0}, "of one": {[]uint32{20}, 2}, "of one with small windows": {[]uint32{21}, 0}, "of both": {[]uint32{21, 20, 20}, 2}} {
		r, err := FromSnapshots(nil, s, nil, tt.windows)
		if err != nil || r.HotWindows != tt.want {
			t.Errorf("%s: %d hot windows, %v, want %d", name, r.HotWindows, err, tt.want)
		}
	}
}

func TestLimitsOf(t *testing.T) {
	text, err := json.Marshal(engine.DeviceProfile{MaxWorkgroupSize: engine.Known([3]uint32{7, 8, 9}), MaxInvocations: engine.Known(uint32(5))})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := limitsOf(text), (policy.Limits{MaxWidth: 7, MaxGroups: policy.MinimumLimits.MaxGroups, MaxInvocations: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, text := range []string{"", "[]"} {
		if got := limitsOf([]byte(text)); got != policy.MinimumLimits {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestAnswerOfAnError keeps the reasons, and leaves the members of the recommendation out.
func TestAnswerOfAnError(t *testing.T) {
	q := Question{Policy: policy.StandardPolicy(), Request: policy.Request{QueueLen: 1}}
	d, err := q.Answer()
	if err == nil || d.Error == nil || d.Error.Text != err.Error() || len(d.Reasons) != 1 {
		t.Fatalf("%+v, %v", d, err)
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	if _, there := members["geometry"]; there || !reflect.DeepEqual(members["schema"], Schema) {
		t.Errorf("%s", text)
	}
}
