package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tui/safe"
)

// readerCommands read a recording, whose name stands for FILE.
var readerCommands = []string{
	"replay FILE", "replay FILE --linear", "snapshot FILE", "tasks FILE", "tasks FILE --json", "workers FILE", "words FILE",
	"words FILE --buffer ring --json", "words FILE --buffer own", "log FILE", "log FILE --json", "events FILE", "stream FILE", "stall FILE",
	"diff FILE@0s FILE --all", "diff FILE@0s FILE --all --json", "breakpoints FILE --dry-run tenant=9",
	"export FILE", "export FILE --form csv", "export FILE --form trace", "export FILE --form raw", "export FILE --form gotest",
	"export FILE --form buffer --buffer ring", "export FILE --form buffer --buffer own",
}

// commandsOf are those that are tried on a file: all of them on one, and on the others one for each way to read. With
// VYRETOP_ALL_READERS in the environment every command is tried on every file, which takes minutes.
func commandsOf(name string) []string {
	switch {
	case strings.Contains(name, "honest"):
		return []string{"log FILE", "replay FILE", "export FILE --form raw"}
	case strings.Contains(name, "snapshot"), os.Getenv("VYRETOP_ALL_READERS") != "":
		return readerCommands
	}
	return []string{"replay FILE", "tasks FILE", "words FILE --buffer own", "log FILE", "diff FILE@0s FILE --all", "export FILE --form csv"}
}

const (
	// readerMemory is what a command that reads may take beside the target's own memory, and readerTime how long.
	readerMemory = 256 << 20
	readerTime   = 60 * time.Second
)

// readings are what a command took to read a file.
type readings struct {
	kib    int
	took   time.Duration
	status int
	stderr string
}

// read runs a command on a file, and measures it.
func read(t *testing.T, command, file string) readings {
	t.Helper()
	args := strings.Fields(strings.ReplaceAll(command, "FILE", file))
	figures := filepath.Join(t.TempDir(), "kib")
	ctx, cancel := context.WithTimeout(t.Context(), 2*readerTime)
	defer cancel()
	c := exec.CommandContext(ctx, "vyretop-measured", args...)
	c.Env = append(os.Environ(), "VYRETOP_MEASURED="+figures)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	began := time.Now()
	err := c.Run()
	out := readings{took: time.Since(began), stderr: stderr.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		out.status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(figures)
	if err == nil {
		out.kib, err = strconv.Atoi(string(text))
	}
	if err != nil {
		t.Fatalf("%s: it did not end by itself: %v\n%s", command, err, out.stderr)
	}
	return out
}

// TestReadersAreBounded: no recording takes more memory of a command than its target and a fixed amount, and no
// hostile one takes a minute. They took up to 24 GB.
func TestReadersAreBounded(t *testing.T) {
	files := hostileFiles(t)
	files["an honest recording of 3,000,000 records"] = longRecording(t)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		own := 0 // bytes of the target
		if strings.Contains(name, "deltas") {
			own = 16 << 20
		}
		for _, command := range commandsOf(name) {
			r := read(t, command, files[name])
			t.Logf("%s: %s: %d MiB, %v, status %d %.200s", name, command, r.kib>>10, r.took.Round(time.Millisecond), r.status, r.stderr)
			if r.kib<<10 > readerMemory+own {
				t.Errorf("%s: %s took %d MiB", name, command, r.kib>>10)
			}
			if r.took > readerTime {
				t.Errorf("%s: %s took %v", name, command, r.took)
			}
			if r.status > exitUsage || r.status != exitOK && r.stderr == "" && !strings.HasPrefix(command, "stall") && !strings.HasPrefix(command, "diff") {
				t.Errorf("%s: %s: status %d without a word", name, command, r.status)
			}
		}
	}
}

// TestNothingHarmfulIsPrinted: texts of recordings reached the terminal as they were, escape sequences with them.
func TestNothingHarmfulIsPrinted(t *testing.T) {
	const evil = "\x1b]0;owned\a\x1b[2J\r\x7f\u009b31m\u202eevil\u2066\nsecond line"
	h := hostileHeader(64)
	h.Host, h.Version = evil, evil
	h.Target.Workload, h.Target.Backend, h.Target.Renderer, h.Target.Driver = evil, evil, evil, evil
	h.Target.Formats, h.Target.Opcodes = []string{evil + "%u"}, map[uint32]string{16: evil}
	path := filepath.Join(t.TempDir(), "evil.mcap")
	w, err := fixtures.Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	control, _ := megakernel.EncodeControl(4, 0)
	for i := range time.Duration(3) {
		w.Snapshot(&megakernel.Snapshot{Seq: uint64(i), Taken: i * time.Second, Workers: 1, Control: control, Slots: ringOf(64), WorkerTable: make([]uint32, megakernel.WorkerWords)})
		w.Log([]megakernel.LogRecord{{Number: uint64(i), Format: 1, Opcode: 16, ArgCount: 1}})
		w.Event(megakernel.HostEvent{At: i * time.Second, Kind: evil, Text: evil})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, command := range readerCommands {
		if strings.Contains(command, "raw") || strings.Contains(command, "buffer") {
			continue // not text
		}
		var out, stderr bytes.Buffer
		doMain(strings.Fields(strings.ReplaceAll(command, "FILE", path)), strings.NewReader(""), &out, &stderr, os.Environ())
		for _, r := range out.String() + stderr.String() {
			if r != '\n' && r != '\t' && safe.Harmful(r) {
				t.Errorf("%s printed %q", command, r)
				break
			}
		}
		if out.Len() == 0 {
			t.Errorf("%s printed nothing: %s", command, &stderr)
		}
	}
}
