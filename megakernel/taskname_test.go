package megakernel

import (
	"errors"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestTaskIDsHaveOneSpelling: what is printed of a task can be typed, as can the number that JSON has.
func TestTaskIDsHaveOneSpelling(t *testing.T) {
	for id, want := range map[uint32]string{0: "0", 17: "17", InjectedIDBase - 1: "2146435071", InjectedIDBase: "i0", SpawnedIDBase - 1: "i1048575", SpawnedIDBase: "+0", SpawnedIDBase + 41: "+41", ^uint32(0): "+2147483647"} {
		if got := TaskName(id); got != want {
			t.Errorf("task %d is written %q, want %q", id, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Uint32().Draw(t, "id")
		for _, text := range []string{TaskName(id), "#" + TaskName(id), strconv.FormatUint(uint64(id), 10)} {
			if got, err := ParseTaskName(text); err != nil || got != id {
				t.Fatalf("%q is read as %d, error %v, want %d", text, got, err, id)
			}
		}
	})
	for _, bad := range []string{"", "+", "#", "x", "-1", "+4294967295", "i", "i1048576", "+i1", "4294967296", "1.5"} {
		if _, err := ParseTaskName(bad); !errors.Is(err, ErrTaskName) {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}
