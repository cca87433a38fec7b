package tasks_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/tasks"
)

func TestSlotIsSixteenWords(t *testing.T) {
	if size := reflect.TypeFor[tasks.Task]().Size(); size != tasks.SlotBytes || tasks.SlotBytes != 64 {
		t.Errorf("a task has %d bytes and SlotBytes is %d, want 64", size, tasks.SlotBytes)
	}
	if tasks.WordFlags != tasks.SlotWords-1 || tasks.WordArg0+tasks.ArgWords != tasks.SlotWords {
		t.Errorf("word indices do not fill the slot: flags at %d, args %d..%d", tasks.WordFlags, tasks.WordArg0, tasks.WordArg0+tasks.ArgWords)
	}
}

// TestFieldsAreInWordOrder pairs each field with its word through the word's name, so that the
// struct, the indices, the names and the encoding cannot drift apart.
func TestFieldsAreInWordOrder(t *testing.T) {
	typ := reflect.TypeFor[tasks.Task]()
	if typ.NumField() != tasks.SlotWords {
		t.Fatalf("a task has %d fields, want %d", typ.NumField(), tasks.SlotWords)
	}
	for i := range tasks.SlotWords {
		f := typ.Field(i)
		if f.Offset != uintptr(4*i) {
			t.Errorf("field %s is at byte %d, want %d", f.Name, f.Offset, 4*i)
		}
		if name := strings.ReplaceAll(tasks.WordNames[i], "_", ""); !strings.EqualFold(name, f.Name) {
			t.Errorf("word %d is called %s, the field %s", i, tasks.WordNames[i], f.Name)
		}
		var task tasks.Task
		reflect.ValueOf(&task).Elem().Field(i).SetUint(7)
		var want [tasks.SlotWords]uint32
		want[i] = 7
		if got := task.Words(); got != want {
			t.Errorf("with %s set the words are %v", f.Name, got)
		}
	}
}

func TestWordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var words [tasks.SlotWords]uint32
		for i := range words {
			words[i] = rapid.Uint32().Draw(t, tasks.WordNames[i])
		}
		task := tasks.FromWords(&words)
		if got := task.Words(); got != words {
			t.Fatalf("round trip: %s", cmp.Diff(words, got))
		}
		valid := words[tasks.WordState] < tasks.NumStates && words[tasks.WordPriority] < tasks.NumPriorities
		if err := task.Validate(); (err == nil) != valid {
			t.Fatalf("Validate says %v for state %d, priority %d", err, words[0], words[3])
		}
	})
}

func TestStatesHaveNamesAndWords(t *testing.T) {
	tests := []struct {
		word        uint32
		name        string
		schedulable bool
		terminal    bool
	}{
		{0, "empty", false, false}, {1, "ready", true, false}, {2, "running", false, false}, {3, "done", false, true},
		{4, "paused", false, false}, {5, "yielded", true, false}, {6, "requeued", true, false}, {7, "faulted", false, true},
	}
	if len(tests) != tasks.NumStates {
		t.Errorf("the table has %d states, there are %d", len(tests), tasks.NumStates)
	}
	for _, tt := range tests {
		s, err := tasks.StateFromWord(tt.word)
		if err != nil || s.String() != tt.name || s.Schedulable() != tt.schedulable || s.Terminal() != tt.terminal {
			t.Errorf("state %d is %q (%v), schedulable %v, terminal %v; want %+v", tt.word, s, err, s.Schedulable(), s.Terminal(), tt)
		}
	}
}

func TestUnknownWordsAreErrors(t *testing.T) {
	for _, w := range []uint32{8, 9, 0x80000000, ^uint32(0)} {
		_, err := tasks.StateFromWord(w)
		checkWordError(t, err, "state", w, 7)
		_, err = tasks.PriorityFromWord(w)
		checkWordError(t, err, "priority", w, 4)
	}
	if got := tasks.State(8).String() + " " + tasks.Priority(5).String(); got != "state(8) priority(5)" {
		t.Errorf("unknown words are shown as %q", got)
	}
	_, err := tasks.PriorityFromWord(5)
	checkWordError(t, err, "priority", 5, 4)
}

func checkWordError(t *testing.T, err error, word string, value, most uint32) {
	t.Helper()
	want := fmt.Sprintf("%s word holds %d (0x%08x), known are 0..%d. Fix: ", word, value, value, most)
	if !errors.Is(err, tasks.ErrWord) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error is %v, want %s…", err, want)
	}
}

func TestParsePriority(t *testing.T) {
	for i, name := range []string{"critical", "high", "normal", "low", "idle"} {
		for _, in := range []string{name, string(rune('0' + i))} {
			if p, err := tasks.ParsePriority(in); err != nil || p != tasks.Priority(i) || p.String() != name {
				t.Errorf("ParsePriority(%q) = %v, %v", in, p, err)
			}
		}
	}
	for _, in := range []string{"", "5", "Normal", "-1", "norm"} {
		_, err := tasks.ParsePriority(in)
		if want := fmt.Sprintf("unknown priority %q. Fix: use one of critical, high", in); !errors.Is(err, tasks.ErrName) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ParsePriority(%q) fails with %v", in, err)
		}
	}
}
