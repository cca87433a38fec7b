package model

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// check is one run of the checker. What is a mutation must be found wrong.
type check struct {
	model    string
	sizes    string // -D options
	mutation string // or "": the protocol as it is
	large    bool   // it takes as long as all others, so it is explored with -everymodel only
}

var everyModel = flag.Bool("everymodel", false, "TestModels explores the largest model, too")

var checks = []check{
	{model: "set.pml"},
	{model: "set.pml", sizes: "-DSLOTS=19"}, // two in one leaf, one in the other region
	{model: "set.pml", sizes: "-DWORKERS=3 -DSLOTS=5 -DOPS=1"},
	{model: "set.pml", mutation: "NO_LOOK_LEAF"},
	{model: "set.pml", mutation: "NO_LOOK_MID"},
	{model: "set.pml", mutation: "NO_LOOK_TOP"},
	{model: "set.pml", mutation: "LOOK_FIRST"},
	{model: "set.pml", mutation: "TORN_TAKE"},
	{model: "set.pml", mutation: "LATE_MARK"},
	{model: "command.pml"},
	{model: "command.pml", mutation: "RESTING_BY_STATE"},
	{model: "command.pml", mutation: "DROP"},
	{model: "command.pml", mutation: "NO_SECOND_LOOK"},
	{model: "command.pml", mutation: "NO_LOOK"},
	{model: "command.pml", mutation: "NO_LOCK"},
	{model: "pause.pml"},
	{model: "pause.pml", sizes: "-DWORKERS=3 -DCOMMANDS=3 -DIN_TURNS", large: true},
	{model: "pause.pml", sizes: "-DWORKERS=3 -DCOMMANDS=3 -DIN_TURNS", mutation: "LATE_COUNT"},
	{model: "pause.pml", mutation: "RUNS_FIRST"},
	{model: "pause.pml", mutation: "NO_OVERTAKE"},
}

func TestModels(t *testing.T) {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed. Fix: .ci/debian-packages test", tool)
		}
		t.Skipf("%s is not installed, so the models of the claim protocol are not checked: apt-get install %s", tool, tool)
	}
	for _, c := range checks {
		if c.large && !*everyModel {
			continue
		}
		name := strings.TrimSpace(c.model + " " + c.sizes + " " + c.mutation)
		t.Run(name, func(t *testing.T) { c.run(t) })
	}
}

func (c check) run(t *testing.T) {
	report := c.explore(t)
	if bytes.Contains(report, []byte("max search depth too small")) || !bytes.Contains(report, []byte("Full statespace search")) {
		t.Fatalf("not every state was visited:\n%s", report)
	}
	found := errorCount.FindSubmatch(report)
	if found == nil {
		t.Fatalf("the checker did not finish:\n%s", report)
	}
	switch wrong := string(found[1]) != "0"; {
	case wrong && c.mutation == "":
		t.Fatalf("the protocol is wrong:\n%s", report)
	case !wrong && c.mutation != "":
		t.Fatalf("the mutation was not found: the model cannot fail\n%s", report)
	}
	t.Logf("%s states", stateCount.FindSubmatch(report)[1])
}

var (
	errorCount = regexp.MustCompile(`errors: (\d+)`)
	stateCount = regexp.MustCompile(`(\d+) states, stored`)
)

// explore has spin write a checker, builds it and returns what that says.
func (c check) explore(t *testing.T) []byte {
	model, err := filepath.Abs(c.model)
	if err != nil {
		t.Fatal(err)
	}
	options := strings.Fields(c.sizes)
	if c.mutation != "" {
		options = append(options, "-D"+c.mutation)
	}
	dir := t.TempDir()
	tool(t, dir, "spin", append(append([]string{"-a"}, options...), model)...)
	// A mutation is found within milliseconds: optimizing its checker would take longer than running it.
	level := "-O1"
	if c.mutation != "" {
		level = "-O0"
	}
	tool(t, dir, "gcc", level, "-w", "-DSAFETY", "-DMEMLIM=4096", "-o", "pan", "pan.c")
	return tool(t, dir, filepath.Join(dir, "pan"), "-n", "-m2000000")
}

func tool(t *testing.T, dir, name string, args ...string) []byte {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return out
}
