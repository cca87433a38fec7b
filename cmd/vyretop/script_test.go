package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"vyretop/engine/device"
	"vyretop/gl"
)

var rewrite = flag.Bool("rewrite", false, "write what commands print into the golden files of scripts")

// programs are what the test binary is when it is called by these names.
var programs = map[string]func(){"vyretop": main, "vyretop-measured": measured, listenerCommand: listener}

// TestMain lets scripts run this program: the test binary is vyretop when it is called by that name, or with the name of a command,
// as a command that starts itself calls it. It would run all tests again otherwise, and so start itself without end.
func TestMain(m *testing.M) {
	if programs[filepath.Base(os.Args[0])] == nil && len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Args[0] = "vyretop"
	}
	if programs[filepath.Base(os.Args[0])] != nil {
		endWithOwner()
	} else {
		own()
	}
	testscript.Main(m, programs)
}

// TestScripts runs the command line as a user does; see testdata/script. A script may use
//
//	status N vyretop …    run a command that must exit with status N; stdout and stderr as with exec
//	until N vyretop …     run a command again until it exits with status N: what it says depends on whether a run had a processor
//	member PATH VALUE     a member of the JSON document on stdout has a value, as JSON; ? for any but null
//	same FILE…            all files hold the same
//	await FILE            wait until something is written to a file
//	$GATE                 the folder of a workload that runs until it is interrupted
//	$RECORDING            a recording of seconds
//	$EXAMPLES             docs/examples
//	$LIVE                 the backend of runs that compile a kernel variant for each breakpoint: gl with -everyvariant
//	$PATIENCE             for how long at most something is waited for that comes
//	[gl]                  true where OpenGL is built in
//	[full]                true where /dev/full is a disk without room
func TestScripts(t *testing.T) {
	t.Parallel()
	shaders, err := shaderCache()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:       "testdata/script",
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"status": cmdStatus, "until": cmdUntil, "member": cmdMember, "same": cmdSame, "await": cmdAwait},
		Condition: condition,
		Setup: func(e *testscript.Env) error {
			e.Setenv("MESA_SHADER_CACHE_DIR", shaders)
			e.Setenv(gl.ProgramCacheVariable, e.WorkDir+"/.programs")
			e.Setenv("XDG_RUNTIME_DIR", e.WorkDir)
			e.Setenv("XDG_STATE_HOME", e.WorkDir+"/.state") // where runs say that they compile: other scripts' would be listed
			e.Setenv("PATIENCE", patience.String())
			e.Setenv("LIVE", device.Reference)
			if openGLBuilt && *everyVariant {
				e.Setenv("LIVE", "gl")
			}
			e.Setenv(ownerVariable, os.Getenv(ownerVariable))
			scan, err := filepath.Abs("../../fixtures/testdata/scan.mcap")
			if err != nil {
				return err
			}
			if err := os.Symlink(scan, filepath.Join(e.WorkDir, "scan.mcap")); err != nil {
				return err
			}
			for name, file := range map[string]string{"GATE": "testdata/gate", "RECORDING": "../../docs/gen/mixed/mixed.mcap", "EXAMPLES": "../../docs/examples"} {
				path, err := filepath.Abs(file)
				if err != nil {
					return err
				}
				e.Setenv(name, path)
			}
			return nil
		},
		RequireExplicitExec: true,
		UpdateScripts:       *rewrite,
	})
}

// shaderCache is where Mesa keeps what it has compiled. Scripts have another home, and would all compile the same
// kernels again.
func shaderCache() (string, error) {
	if dir := os.Getenv("MESA_SHADER_CACHE_DIR"); dir != "" {
		return dir, nil
	}
	return os.UserCacheDir()
}

func condition(name string) (bool, error) {
	switch name {
	case "gl":
		return openGLBuilt, nil
	case "full":
		_, err := os.Stat("/dev/full")
		return err == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exited(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		if strings.Count(line, "Fix: ") > 1 {
			ts.Fatalf("more than one Fix in an error: %s", line)
		}
	}
}

// exited runs a command and returns its exit status.
func exited(ts *testscript.TestScript, args []string) int {
	err := ts.Exec(args[0], args[1:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until N COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	for deadline := time.Now().Add(patience); ; {
		got := exited(ts, args[1:])
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("exit status %d, not %d within %v", got, want, patience)
		}
	}
}

func cmdMember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: member PATH VALUE")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	d.UseNumber()
	var v any
	ts.Check(d.Decode(&v))
	for name := range strings.SplitSeq(args[0], ".") {
		object, ok := v.(map[string]any)
		if !ok {
			ts.Fatalf("%s: %s is not in an object", args[0], name)
		}
		if v, ok = object[name]; !ok {
			ts.Fatalf("%s: there is no %s", args[0], name)
		}
	}
	got, err := json.Marshal(v)
	ts.Check(err)
	if want := args[1]; string(got) != want && (want != "?" || v == nil) {
		ts.Fatalf("%s is %s, want %s", args[0], got, want)
	}
}

func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: same FILE FILE…")
	}
	first := ts.ReadFile(args[0])
	for _, name := range args[1:] {
		if ts.ReadFile(name) != first {
			ts.Fatalf("%s and %s differ", args[0], name)
		}
	}
}

func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(patience); ; <-look.C {
		if info, err := os.Stat(ts.MkAbs(args[0])); err == nil && info.Size() > 0 {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("nothing was written to %s within %v", args[0], patience)
		}
	}
}

// TestUsageInProcess shows that the program touches nothing of the process but what it is given.
func TestUsageInProcess(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if got := doMain([]string{"version"}, strings.NewReader(""), &stdout, &stderr, nil); got != exitOK || !strings.HasPrefix(stdout.String(), "vyretop ") || stderr.Len() > 0 {
		t.Errorf("version: status %d, stdout %q, stderr %q", got, &stdout, &stderr)
	}
	stdout.Reset()
	if got := doMain([]string{"fly"}, strings.NewReader(""), &stdout, &stderr, nil); got != exitUsage || stdout.Len() > 0 || !strings.Contains(stderr.String(), "Fix: ") {
		t.Errorf("fly: status %d, stdout %q, stderr %q", got, &stdout, &stderr)
	}
}
