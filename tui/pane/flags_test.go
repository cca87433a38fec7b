package pane

import (
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
)

func TestEveryFlagHasAName(t *testing.T) {
	for _, tc := range []struct {
		flags uint32
		want  string
	}{
		{0, ""},
		{tasks.FlagPaused, "paused"},
		{tasks.FlagYielded, "yielded"},
		{tasks.FlagRequeueRequested, "requeue"},
		{tasks.FlagResumeReady, "resume-ready"},
		{tasks.FlagNotify, "notify"},
		{tasks.FlagNotify | tasks.FlagYielded, "yielded notify"},
		{tasks.FlagPaused | 0x80000040, "paused 0x80000040"},
	} {
		if got := flagNames(tc.flags); got != tc.want {
			t.Errorf("flags 0x%x are %q, want %q", tc.flags, got, tc.want)
		}
	}
}

// The flag of the host's own was shown as a bare 0x100.
func TestNotifyFlagIsNamedInStepAndTask(t *testing.T) {
	f := frameWithTasks(tasks.Running)
	f.Snap.Slot(0)[tasks.WordFlags] = tasks.FlagNotify
	step := &megakernel.Step{Before: *f.Snap.Slot(0), After: *f.Snap.Slot(0)}
	step.After[tasks.WordFlags] |= tasks.FlagYielded
	f.Workers = []megakernel.Worker{{Step: step}}
	for name, tc := range map[string]struct {
		draw func(cells.Area)
		want string
	}{
		"step": {func(a cells.Area) { look().DrawStep(a, f, 0, true) }, "yielded notify"},
		"task": {func(a cells.Area) { look().DrawTaskDetail(a, f, TaskKey(100, 0), true) }, "notify"},
	} {
		screen := paint(80, 20, tc.draw)
		at := strings.Index(screen, "flags")
		if at < 0 {
			t.Errorf("%s has no flags:\n%s", name, screen)
			continue
		}
		line, _, _ := strings.Cut(screen[at:], "\n")
		if !strings.HasSuffix(line, "  "+tc.want) {
			t.Errorf("%s shows %q, want it to end in %q", name, line, tc.want)
		}
	}
}
