//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"vyretop/engine"
)

// apartVariable makes this test binary the process that a test of CompileApart starts: "compile" compiles, "crash" ends as one does
// whose compiler has crashed, and the path of a fifo compiles once that has been closed.
const apartVariable = "GL_TEST_APART"

// apartAs makes the process that compiles.
func apartAs(device int, what string) func() *exec.Cmd {
	return func() *exec.Cmd {
		return exec.Command("/usr/bin/env", apartVariable+"="+what, os.Args[0], strconv.Itoa(device))
	}
}

// serveApart is what that process does.
func serveApart(what string) error {
	device, err := strconv.Atoi(os.Args[1])
	if err != nil {
		return err
	}
	switch what {
	case "crash":
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = p.Kill()
		}
		return errors.Join(err, errors.New("it was not killed"))
	case "compile":
	default:
		if _, err := os.ReadFile(what); err != nil { // a fifo: until the test closes it
			return err
		}
	}
	return CompileTexts(context.Background(), Options{Device: device}, os.Stdin)
}

// TestAProgramIsCompiledByAnotherProcess: a compilation in this process is lost with it, and a crash of the driver's compiler ends it.
func TestAProgramIsCompiledByAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	cachedBackend(t, dir) // skips where nothing is stored
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, ProgramCache: dir, Apart: apartAs(testDevice(t), "compile")})
	p := triples(5)
	for range 2 { // the second time there is nothing to do
		if err := b.CompileApart(within(t), p); err != nil {
			t.Fatal(err)
		}
	}
	if !b.Kept(within(t), p) {
		t.Error("it is not stored")
	}
	compile(t, b, p)
	expectCache(t, b.ProgramCache(), engine.ProgramCache{DiskHits: 1})
}

func TestACrashOfTheOtherProcessIsAnError(t *testing.T) {
	dir := t.TempDir()
	cachedBackend(t, dir)
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, ProgramCache: dir, Apart: apartAs(testDevice(t), "crash")})
	err := b.CompileApart(within(t), triples(6))
	if !errors.Is(err, engine.ErrKernelCompileFailed) || !strings.Contains(err.Error(), "killed") || !strings.Contains(err.Error(), "Fix: ") {
		t.Error(err)
	}
	compile(t, b, triples(6))
}

// TestTheOtherProcessContinuesWhenNobodyWaits: who interrupts a start waited as long at the next.
func TestTheOtherProcessContinuesWhenNobodyWaits(t *testing.T) {
	dir, gate := t.TempDir(), filepath.Join(t.TempDir(), "gate")
	cachedBackend(t, dir)
	if out, err := exec.Command("mkfifo", gate).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, ProgramCache: dir, Apart: apartAs(testDevice(t), gate)})
	ctx, cancel := context.WithCancel(within(t))
	gaveUp := make(chan error, 1)
	go func() { gaveUp <- b.CompileApart(ctx, triples(7)) }()
	f, err := os.OpenFile(gate, os.O_WRONLY, 0) // waits for the process
	check(t, err)
	cancel()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	check(t, f.Close())
	for ctx := within(t); !b.Kept(ctx, triples(7)); {
		if ctx.Err() != nil {
			t.Fatal("it is not stored")
		}
	}
}

func TestNothingIsCompiledApartWhereNothingIsStored(t *testing.T) {
	for name, o := range map[string]Options{
		"no process": {ProgramCache: t.TempDir()},
		"no cache":   {ProgramCache: NoProgramCache, Apart: apartAs(testDevice(t), "compile")},
	} {
		o.Device, o.SkipProbes = testDevice(t), true
		if err := openFor(t, o).CompileApart(within(t), triples(8)); !errors.Is(err, engine.ErrUnsupportedFeature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTextsThatCannotBeReadAreAnError(t *testing.T) {
	for _, text := range []string{"", "[", `{"name":1}`, `[{"name":"a","text":"no shader"}]`} {
		err := CompileTexts(within(t), Options{Device: testDevice(t), ProgramCache: t.TempDir()}, strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
