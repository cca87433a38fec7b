package inspect

import (
	"slices"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
)

// The columns of commands are those that megakernel/filter lists for them, in its order.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	for name, tt := range map[string]struct {
		columns []string
		want    filter.Table
	}{
		"workers": {WorkerTable.Fields(), filter.WorkerColumns}, "tasks": {TaskTable.Fields(), filter.TaskColumns},
		"log": {LogTable.Fields(), filter.LogColumns}, "events": {EventTable.Fields(), filter.EventColumns},
	} {
		if want := tt.want.Names(filter.Command); !slices.Equal(tt.columns, want) {
			t.Errorf("%s: columns %q, listed are %q", name, tt.columns, want)
		}
	}
}

// TestColumnsHoldWhatTheRegistrySays: columns of numbers have whole numbers in every row, and those of IDs have IDs.
func TestColumnsHoldWhatTheRegistrySays(t *testing.T) {
	s, err := Open(t.Context(), Embedded, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	holds(t, s, WorkerListing, filter.WorkerColumns)
	holds(t, s, TaskListing, filter.TaskColumns)
}

func holds[T any](t *testing.T, s Subject, l Listing[T], registry filter.Table) {
	t.Helper()
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := l.Rows(t.Context(), s, now)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := rows(func(row *T) bool {
		n++
		for _, c := range l.Columns {
			at := slices.IndexFunc(registry, func(r filter.Column) bool { return r.Name == c.Name })
			if want := registry[at].Type; !holdsType(c.Get(row), want) {
				t.Errorf("%s: %s is %v, which is not of type %d", l.Name, c.Name, c.Get(row), want)
			}
		}
		return !t.Failed()
	}); err != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v", l.Name, n, err)
	}
}

func holdsType(v any, want filter.Type) bool {
	_, whole := v.(uint64)
	of, isNamed := v.(named)
	return v == nil || want == filter.Any || whole || isNamed && of.counted
}

// A task that a breakpoint holds behind its last activation was listed as a NOP, which no handler had.
func TestTasksThatEndWhenResumedAreNotListedAsNOP(t *testing.T) {
	row := Task{Words: tasks.Task{State: tasks.Paused, Opcode: megakernel.OpcodeNop, ResumeEpoch: megakernel.HeldEpoch, Flags: tasks.FlagHalted}, target: &megakernel.Target{}}
	if got := opcodeOf(&row); got != megakernel.EndingName {
		t.Errorf("its opcode is %v", got)
	}
	e, err := TaskTable.FilterOf(&megakernel.Target{Opcodes: map[uint32]string{7: "scan"}}, "opcode=ending")
	if err != nil || !TaskTable.Match(e, &row) {
		t.Errorf("the filter does not find it: %v", err)
	}
	row.Words.Flags = 0 // a command has paused it
	if got := opcodeOf(&row); got != "NOP" {
		t.Errorf("the opcode of a paused NOP is %v", got)
	}
}
