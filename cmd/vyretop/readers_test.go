package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/safe"
)

// readerCommands read a recording, whose name stands for FILE.
var readerCommands = []string{
	"replay FILE", "replay FILE --linear", "snapshot FILE", "tasks FILE", "tasks FILE --json", "workers FILE", "words FILE",
	"words FILE --buffer ring --json", "words FILE --buffer own", "log FILE", "log FILE --json", "events FILE", "stream FILE", "stall FILE",
	"diff FILE@0s FILE --all", "diff FILE@0s FILE --all --json", "breakpoints FILE --dry-run tenant=9",
	"diff FILE FILE --tasks", "export FILE --form perfetto", "export FILE --form otlp", "export FILE --form mcap", "export FILE --form parquet",
	"export FILE --form parquet --table log", "export FILE --form parquet --table activations", "export FILE --form parquet --table tasks", "export FILE --form parquet --table events",
	"export FILE", "export FILE --form csv", "export FILE --form trace", "export FILE --form raw", "export FILE --form gotest",
	"export FILE --form buffer --buffer ring", "export FILE --form buffer --buffer own",
}

// honest is the size of the honest recording that every command reads; it is a small one, and few commands, without.
var honest = flag.Int("honest", 0, "MiB of the honest recording that TestReadersAreBounded makes (0: 3,000,000 records, and few commands read each file)")

// shareOfReaders is the part of the commands that reads each hostile file without -honest; files take turns.
const shareOfReaders = 8

// commandsOf are those that are tried on the nth file: with -honest and for the tables of the page all of them.
func commandsOf(name string, nth int) (commands []string) {
	switch {
	case *honest > 0:
		return readerCommands
	case strings.Contains(name, "honest"):
		return []string{"log FILE", "replay FILE", "export FILE --form raw"}
	case *rewrite:
		return readerCommands
	}
	for i := nth % shareOfReaders; i < len(readerCommands); i += shareOfReaders {
		commands = append(commands, readerCommands[i])
	}
	return commands
}

const (
	// readerMemory is what a command that reads may take beside the target's own memory, and readerTime how long.
	readerMemory = 256 << 20
	readerTime   = 60 * time.Second
)

// readings are what a command took to read a file.
type readings struct {
	file    string
	command string
	kib     int
	took    time.Duration // of the processors: what else the host does must not fail a test
	status  int
	stderr  string
}

// read runs a command on a file, and measures it.
func read(t *testing.T, command, file string) readings {
	t.Helper()
	return readWith(t, command, file, "")
}

// readWith is read with something on standard input.
func readWith(t *testing.T, command, file, stdin string) readings {
	t.Helper()
	args := strings.Fields(strings.ReplaceAll(command, "FILE", file))
	figures := filepath.Join(t.TempDir(), "kib")
	ctx, cancel := context.WithTimeout(t.Context(), 11*readerTime)
	defer cancel()
	c := exec.CommandContext(ctx, "vyretop-measured", args...)
	c.Env = append(os.Environ(), "VYRETOP_MEASURED="+figures)
	var stderr bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(stdin), &stderr
	err := c.Run()
	out := readings{stderr: stderr.String()}
	if c.ProcessState != nil {
		out.took = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
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

// readerPage is the page with the tables of what readers take.
const readerPage = "../../docs/internal/reliability.md"

// TestReadersAreBounded: no recording takes more memory of a command than its target and a fixed amount, and no
// hostile one takes a minute. They took up to 24 GB. -rewrite writes the tables of docs/internal/reliability.md: those of
// hostile files, and with -honest 500 that of an honest recording of 500 MiB.
func TestReadersAreBounded(t *testing.T) {
	files := hostileFiles(t)
	files[fmt.Sprintf("an honest recording of %s", honestSize())] = longRecording(t, int64(*honest)<<20)
	var all readerTable
	t.Run("files", func(t *testing.T) {
		for nth, name := range slices.Sorted(maps.Keys(files)) {
			t.Run(name, func(t *testing.T) {
				if !*rewrite {
					t.Parallel()
				}
				file := files[name]
				for _, command := range commandsOf(name, nth) {
					r := read(t, command, file)
					r.file, r.command = name, command
					r.check(t)
					all.add(r)
				}
			})
		}
	})
	if *rewrite && !t.Failed() {
		all.rewrite(t)
	}
}

func honestSize() string {
	if *honest > 0 {
		return fmt.Sprintf("%d MiB", *honest)
	}
	return "3,000,000 records"
}

// check compares what a command took with its limits.
func (r *readings) check(t *testing.T) {
	own, most := 0, readerTime // bytes of the target
	switch {
	case strings.Contains(r.file, "ring"), strings.Contains(r.file, "deltas"):
		own = 16 << 20
	case strings.Contains(r.file, "MiB") && strings.Contains(r.file, "honest"):
		most = 10 * readerTime
	}
	t.Logf("%s: %d MiB, %v, status %d %.200s", r.command, r.kib>>10, r.took.Round(time.Millisecond), r.status, r.stderr)
	if r.kib<<10 > readerMemory+own {
		t.Errorf("%s took %d MiB", r.command, r.kib>>10)
	}
	if r.took > most {
		t.Errorf("%s took %v", r.command, r.took)
	}
	if r.status > exitUsage || r.status != exitOK && r.stderr == "" && !strings.HasPrefix(r.command, "stall") && !strings.HasPrefix(r.command, "diff") {
		t.Errorf("%s: status %d without a word", r.command, r.status)
	}
}

// readerTable are the readings of all commands and files.
type readerTable struct {
	mu   sync.Mutex
	list []readings
}

func (x *readerTable) add(r readings) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, r)
}

// rewrite writes the tables of the page for which there are readings.
func (x *readerTable) rewrite(t *testing.T) {
	old, err := os.ReadFile(readerPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(old)
	if *honest > 0 {
		page = replaceTable(t, page, "honest", x.byCommand())
	} else {
		page = replaceTable(t, page, "hostile", x.byFile())
	}
	if err := os.WriteFile(readerPage, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
}

// replaceTable replaces what is between the marks of a table.
func replaceTable(t *testing.T, page, name, table string) string {
	begin, end := "<!-- "+name+": generated -->\n", "<!-- end of "+name+" -->"
	head, rest, ok := strings.Cut(page, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no marks of table %s", readerPage, name)
	}
	return head + begin + table + end + tail
}

// byFile is a row for each file: the most that a command took, and the longest.
func (x *readerTable) byFile() string {
	byFile := map[string][]readings{}
	for _, r := range x.list {
		byFile[r.file] = append(byFile[r.file], r)
	}
	var b strings.Builder
	b.WriteString("| file | commands | peak MiB | with | longest s | with |\n|---|---|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		list := byFile[name]
		most := slices.MaxFunc(list, func(a, b readings) int { return cmp.Compare(a.kib, b.kib) })
		longest := slices.MaxFunc(list, func(a, b readings) int { return cmp.Compare(a.took, b.took) })
		fmt.Fprintf(&b, "| %s | %d | %d | `%s` | %.1f | `%s` |\n", name, len(list), most.kib>>10, most.command, longest.took.Seconds(), longest.command)
	}
	return b.String()
}

// byCommand is a row for each command on the honest recording.
func (x *readerTable) byCommand() string {
	var b strings.Builder
	b.WriteString("| command | peak MiB | s |\n|---|---|---|\n")
	for _, r := range x.list {
		if strings.Contains(r.file, "honest") {
			fmt.Fprintf(&b, "| `%s` | %d | %.1f |\n", r.command, r.kib>>10, r.took.Seconds())
		}
	}
	return b.String()
}

// printsBinary reports whether a command prints what is not text, which it does not do on a terminal.
func printsBinary(command string) bool {
	_, form, _ := strings.Cut(command, "--form ")
	form, _, _ = strings.Cut(form, " ")
	return inspect.Binary(form)
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
		if printsBinary(command) {
			continue
		}
		var out, stderr bytes.Buffer
		doMain(strings.Fields(strings.ReplaceAll(command, "FILE", path)), strings.NewReader(""), &out, &stderr, os.Environ())
		for _, r := range out.String() + stderr.String() {
			if r != '\n' && r != '\t' && safe.Harmful(r) {
				t.Errorf("%s printed %q", command, r)
				break
			}
		}
		empty := strings.Contains(command, "otlp") || strings.Contains(command, "own") // no activation has begun; there is no such buffer
		if out.Len() == 0 && !empty {
			t.Errorf("%s printed nothing: %s", command, &stderr)
		}
	}
}
