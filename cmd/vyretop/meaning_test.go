package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vyretop/engine/device"
	"vyretop/megakernel/safe"
)

// meanings is how many recordings, captures and manifests with a wrong value are read; every command reads each, also of those of tables,
// where they are not the few.
var meanings = flag.Int("meanings", fewMeanings, "recordings, captures and manifests with a wrong value in them that tests read")

const fewMeanings = 3

// fewCommands are those that do most with a recording.
var fewCommands = []string{"replay FILE --verify --backend reference", "capture 5 OUT --target FILE", "debug FILE --task 5 --exec SCRIPT", "tasks FILE", "export FILE --form trace"}

// commandsForCase are what reads the nth of the recordings of tables: of the few commands one, which take turns.
func commandsForCase(nth int) []string {
	if *meanings == fewMeanings {
		return []string{fewCommands[nth%len(fewCommands)]}
	}
	return slices.Concat(readerCommands, meaningCommands)
}

// meaningCommands read a recording in ways that readerCommands do not. GOOD is the recording that nothing is wrong with, OUT a file that
// does not exist, SCRIPT a file of commands of the debugger.
var meaningCommands = []string{
	"replay FILE --verify --backend reference", "replay FILE --verify --backend reference --seeds 2 --keep OUT",
	"debug FILE --task 5 --exec SCRIPT", "debug FILE --task 5 --activation 1 --exec SCRIPT --json", "debug FILE", "capture 5 OUT --target FILE", "capture 5 OUT --target FILE --activation 1",
	"recover FILE OUT", "recover FILE OUT --json", "postmortem FILE", "recommend --recording FILE", "diff FILE GOOD", "diff GOOD FILE --all --json",
	"breakpoints FILE", "words FILE --buffer steps --json", "words FILE --buffer workers", "words FILE --buffer control --json", "export FILE --form buffer --buffer steps", "stall FILE --json",
	"events FILE --json", "snapshot FILE --json", "workers FILE --json", "stream FILE --json", "attach FILE", "check FILE", "check --run FILE", "profile FILE", "run FILE", "dispatch FILE", "dap",
}

// captureCommands read a capture.
var captureCommands = []string{
	"debug FILE --exec SCRIPT", "debug FILE --exec SCRIPT --json", "dap", "replay FILE", "snapshot FILE", "check FILE", "profile FILE", "recover FILE OUT", "diff FILE FILE",
	"dispatch FILE", "postmortem FILE", "capture 5 OUT --target FILE",
}

// meaningScript is what the debugger does with each file.
const meaningScript = "list\nlocals\nstep\nstep\nrev step\nprint t\nbuffers\nlanes\nwho wrote slot[0].state\ncontinue\nstack\n"

// wrongValues are what stands in the place of a member of a JSON document.
var wrongValues = []any{
	nil, -1, 0, 1, 1 << 31, 4294967295, json.RawMessage("9223372036854775807"), json.RawMessage("99999999999999999999999999"), 1e308, 0.5, "", strings.Repeat("n", 70_000),
	"../../../../../etc/passwd", "\x1b]0;owned\a\x1b[2J\r\n\u202e=1+1", []any{}, map[string]any{}, true, []any{nil},
	json.RawMessage(strings.Repeat("[", 5000) + strings.Repeat("]", 5000)),
}

// meaningReader runs commands on files in which something is wrong.
type meaningReader struct {
	t    *testing.T
	dir  string
	good string // a recording that nothing is wrong with
	env  []string
}

func newMeaningReader(t *testing.T) *meaningReader {
	t.Helper()
	r := &meaningReader{t: t, dir: t.TempDir()}
	r.env = append(os.Environ(), "XDG_RUNTIME_DIR="+r.dir, "XDG_STATE_HOME="+r.dir, "XDG_CACHE_HOME="+r.dir)
	r.good = filepath.Join(r.dir, "good.mcap")
	var said bytes.Buffer
	args := []string{"run", "collatz", "--count", "40", "--backend", device.Reference, "--headless", "--record", r.good}
	if status := doMain(args, strings.NewReader(""), &said, &said, r.env); status != exitOK {
		t.Fatalf("status %d: %s", status, &said)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "script"), []byte(meaningScript), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// meaningTime is how long a command may take.
const meaningTime = time.Minute

// read runs commands on a file of what is called so.
func (r *meaningReader) read(name, path string, commands ...string) {
	r.t.Helper()
	for _, command := range commands {
		out := filepath.Join(r.dir, "out")
		_ = os.Remove(out) // most commands write none
		args := strings.Fields(command)
		for i := range args {
			args[i] = strings.NewReplacer("FILE", path, "GOOD", r.good, "OUT", out, "SCRIPT", filepath.Join(r.dir, "script")).Replace(args[i])
		}
		input := ""
		if command == "dap" {
			input = launching(r.t, path)
		}
		r.run(name, command, args, input)
	}
}

// launching are the messages of an editor that debugs a file.
func launching(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	for i, m := range []string{
		`"initialize","arguments":{"adapterID":"vyretop"}`, `"launch","arguments":{"program":` + strconv.Quote(path) + `,"task":TASK,"stopOnEntry":true}`,
		`"configurationDone"`, `"threads"`, `"stackTrace","arguments":{"threadId":1}`, `"next","arguments":{"threadId":1}`, `"disconnect"`,
	} {
		task := `"5"`
		if filepath.Ext(path) != ".mcap" {
			task = `""`
		}
		text := fmt.Sprintf(`{"seq":%d,"type":"request","command":%s}`, i+1, strings.Replace(m, "TASK", task, 1))
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	return b.String()
}

// verdicts are commands whose exit status may be 1 without an error: they compare, or say what is missing.
var verdicts = []string{"diff", "replay", "recover", "stall", "postmortem", "check", "run", "profile"}

func (r *meaningReader) run(name, command string, args []string, input string) {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hang := time.AfterFunc(6*meaningTime, func() { panic(fmt.Sprintf("%s: %s did not end", name, command)) })
	began := time.Now()
	status := r.guarded(name, command, args, input, &stdout, &stderr)
	took := time.Since(began)
	hang.Stop()
	runtime.ReadMemStats(&after)
	said := stderr.String()
	most := meaningTime
	if strings.Contains(command, "--keep") {
		most += shrinking
	}
	if took > most {
		r.t.Errorf("%s: %s took %v", name, command, took)
	}
	if after.TotalAlloc-before.TotalAlloc > readerMemory {
		r.measure(name, command, args, input)
	}
	if status < exitOK || status > exitDevice {
		r.t.Errorf("%s: %s: status %d", name, command, status)
	}
	quiet := status == exitFailed && slices.Contains(verdicts, args[0]) && stdout.Len() > 0
	told := strings.Contains(said, "Fix: ") || strings.Contains(command, "--json") && strings.Contains(stdout.String(), `"fix": `)
	if status != exitOK && !quiet && !told {
		r.t.Errorf("%s: %s: status %d, an error without a fix: %.400q", name, command, status, said)
	}
	if !printsBinary(command) {
		said += stdout.String()
	}
	for _, c := range said {
		if c != '\n' && c != '\t' && c != '\r' && safe.Harmful(c) {
			r.t.Errorf("%s: %s printed %q", name, command, c)
			break
		}
	}
	for _, bad := range []string{"BUG", "panic", "goroutine ", "%!", "runtime error"} {
		if strings.Contains(said, bad) && !strings.Contains(command, "gotest") {
			r.t.Errorf("%s: %s: %.400q", name, command, said)
			break
		}
	}
}

// guarded runs a command, and reports its panic.
func (r *meaningReader) guarded(name, command string, args []string, input string, stdout, stderr *bytes.Buffer) (status int) {
	defer func() {
		if v := recover(); v != nil {
			r.t.Errorf("%s: %s: panic: %v\n%s", name, command, v, debug.Stack())
		}
	}()
	return doMain(args, strings.NewReader(input), stdout, stderr, r.env)
}

// measure runs a command that has allocated much as a process, and measures what it had at a time.
func (r *meaningReader) measure(name, command string, args []string, input string) {
	r.t.Helper()
	_ = os.Remove(filepath.Join(r.dir, "out")) // it may be there from before
	got := readWith(r.t, strings.Join(args, " "), "", input)
	r.t.Logf("%s: %s took %d MiB, %v", name, command, got.kib>>10, got.took.Round(time.Millisecond))
	if got.kib > readerMemory>>10 {
		r.t.Errorf("%s: %s took %d MiB", name, command, got.kib>>10)
	}
}

// TestDamagedMeaningsAreTold: recordings and captures whose bytes are whole and whose values are not, each a member of a document
// with a value that it cannot have, are read or refused with an error that says what to do: within 20 s and 256 MiB.
func TestDamagedMeaningsAreTold(t *testing.T) {
	r := newMeaningReader(t)
	whole := dissect(t, r.good)
	captured := capturedFrom(t, r)
	seed := uint64(*meanings) + 1 // the few are the same each time, and the many others
	random := rand.New(rand.NewPCG(seed, 3))
	wrong := append(wrongRecordings(whole), wrongCaptures(captured, whole)...)
	random.Shuffle(len(wrong), func(i, k int) { wrong[i], wrong[k] = wrong[k], wrong[i] })
	for _, w := range wrong[:min(len(wrong), *meanings)] {
		path := filepath.Join(r.dir, "wrong"+w.ext)
		w.write(path)
		r.read(w.name, path, w.commands()...)
	}
}

// wrongFile is a file in which a value is wrong.
type wrongFile struct {
	name, ext string
	write     func(path string)
}

func (w *wrongFile) commands() []string {
	if w.ext == ".mcap" {
		return slices.Concat(readerCommands, meaningCommands)
	}
	return captureCommands
}

// wrongRecordings are recordings with each wrong value in each member of each document.
func wrongRecordings(whole *dissected) (list []wrongFile) {
	add := func(name string, doc any, with func(x *dissected, doc any)) {
		for _, path := range members(doc, nil) {
			for i, value := range wrongValues {
				list = append(list, wrongFile{fmt.Sprintf("%s %s = value %d", name, strings.Join(path, "."), i), ".mcap", func(file string) {
					x := whole.copied()
					with(x, replaced(doc, path, value))
					x.whole(file)
				}})
			}
		}
	}
	for name, channel := range map[string]uint16{"target": channelTarget, "start": channelStart, "event": channelEvent} {
		var doc any
		whole.must(json.Unmarshal(whole.first(channel), &doc))
		add(name, doc, func(x *dissected, doc any) {
			x.bodies(channel, func([]byte) []byte { return x.encoded(doc) })
		})
	}
	var text any
	whole.copied().kernel(func(doc any) any { text = doc; return doc })
	add("kernel", text, func(x *dissected, doc any) { x.kernel(func(any) any { return doc }) })
	slices.SortFunc(list, func(a, b wrongFile) int { return strings.Compare(a.name, b.name) })
	return list
}

// capturedFrom is a capture of a task of the recording.
func capturedFrom(t *testing.T, r *meaningReader) entries {
	t.Helper()
	path := filepath.Join(r.dir, "good.capture")
	var said bytes.Buffer
	if status := doMain([]string{"capture", "5", path, "--target", r.good}, strings.NewReader(""), &said, &said, r.env); status != exitOK {
		t.Fatalf("status %d: %s", status, &said)
	}
	return entriesOf(t, path)
}

// wrongCaptures are captures with each wrong value in each member of their header and their kernel.
func wrongCaptures(whole entries, x *dissected) (list []wrongFile) {
	add := func(entry string, doc any, pack func(doc any) []byte) {
		for _, path := range members(doc, nil) {
			for i, value := range wrongValues {
				list = append(list, wrongFile{fmt.Sprintf("%s %s = value %d", entry, strings.Join(path, "."), i), ".capture", func(file string) {
					changed := maps.Clone(whole)
					changed[entry] = pack(replaced(doc, path, value))
					changed.write(x.t, file)
				}})
			}
		}
	}
	var header any
	x.must(json.Unmarshal(whole["capture.json"], &header))
	add("capture.json", header, func(doc any) []byte { return x.encoded(doc) })
	text := x.document(whole["kernel.json.zst"])
	add("kernel.json.zst", text, func(doc any) []byte { return x.zstd.EncodeAll(x.encoded(doc), nil) })
	return list
}
