//go:build cgo && egl

package gl

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sort"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/gl/egl"
	"vyretop/gl/internal/glapi"
)

// TestOpenCloseLeavesNothing opens and closes contexts with work on them, and expects threads and
// file descriptors to stay bounded. Goroutines are checked at the end of the package's tests.
func TestOpenCloseLeavesNothing(t *testing.T) {
	cycle := func() {
		b, err := Open(within(t), Options{Device: testDevice(t), SkipProbes: true})
		check(t, err)
		pl, err := b.Compile(within(t), squaresProgram())
		check(t, err)
		buf, err := b.Allocate(within(t), "left to Close", 4096, engine.HostVisible)
		check(t, err)
		wait(t, start(t, pl, 1, buf))
		check(t, b.Close())
	}
	for range 3 { // drivers keep some things for good
		cycle()
	}
	threads, files := count(t, "/proc/self/task"), count(t, "/proc/self/fd")
	for range 20 {
		cycle()
	}
	// Threads end shortly after they were told to, so a few may still be there.
	if now := count(t, "/proc/self/task"); now > threads+2*runtime.NumCPU()+4 {
		t.Errorf("%d threads after 20 cycles, %d before", now, threads)
	}
	if now := count(t, "/proc/self/fd"); now > files+4 {
		t.Errorf("%d file descriptors after 20 cycles, %d before", now, files)
	}
}

func count(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check(t, err)
	return len(entries)
}

// TestTwoBackendsOnOneDevice closes one of two backends that share an EGL display: the other must
// keep working.
func TestTwoBackendsOnOneDevice(t *testing.T) {
	first, err := Open(within(t), Options{Device: testDevice(t), SkipProbes: true})
	check(t, err)
	second := testBackend(t)
	check(t, first.Close())
	buf := allocate(t, second, 64, engine.HostVisible)
	wait(t, start(t, compile(t, second, squaresProgram()), 1, buf))
	if got := buf.Words().Load(7); got != 49 {
		t.Errorf("word 7 is %d", got)
	}
}

// TestHardwareIsPreferred sorts devices as an automatic choice does: hardware, a platform's own choice,
// software, each in the order in which they were found.
func TestHardwareIsPreferred(t *testing.T) {
	infos := []DeviceInfo{
		{Index: 0, Platform: "device", Software: true}, {Index: 1, Platform: "surfaceless"},
		{Index: 2, Platform: "device"}, {Index: 3, Platform: "device"}, {Index: 4, Platform: "default"},
	}
	sort.Stable(byPreference{make([]egl.Device, len(infos)), infos})
	for i, want := range []int{2, 3, 1, 4, 0} {
		if infos[i].Index != want {
			t.Errorf("place %d has device %d, want %d", i, infos[i].Index, want)
		}
	}
}

// TestBadOptionsAreRefused covers devices and contexts that do not exist.
func TestBadOptionsAreRefused(t *testing.T) {
	for _, o := range []Options{{Device: 10_000}, {Device: -2}, {Context: "glx"}} {
		if _, err := Open(t.Context(), o); !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestOpenEndsWithItsContext opens with an ended context and expects nothing to be left.
func TestOpenEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{Device: testDevice(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestOpenFailureIsTyped lets the context fail on its thread.
func TestOpenFailureIsTyped(t *testing.T) {
	_, err := openWith(t.Context(), Options{}, opening{label: "nothing", open: func() (surface, error) {
		e := unsupported("open a context", "OpenGL 4.5", "found OpenGL 3.1", fixPackages)
		return nil, e
	}})
	if !errors.Is(err, engine.ErrUnsupportedFeature) {
		t.Errorf("got %v", err)
	}
	_, err = openWith(t.Context(), Options{}, opening{label: "nothing", open: func() (surface, error) { return nil, errors.New("odd") }})
	if !errors.Is(err, engine.ErrUnknown) {
		t.Errorf("got %v", err)
	}
}

// TestOldOpenGLIsNamed runs itself with a driver that offers OpenGL 3.3 only: the error must name
// that version.
func TestOldOpenGLIsNamed(t *testing.T) {
	const child = "VYRETOP_TEST_OLD_OPENGL"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOldOpenGLIsNamed$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", "MESA_GL_VERSION_OVERRIDE=3.3")
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), "--- SKIP") {
			t.Skip("the driver does not follow MESA_GL_VERSION_OVERRIDE")
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	b, err := Open(within(t), Options{Device: testDevice(t), SkipProbes: true})
	if err == nil {
		check(t, b.Close())
		t.Skip("opened all the same")
	}
	if !errors.Is(err, engine.ErrUnsupportedFeature) || !strings.Contains(err.Error(), "found OpenGL 3.3") {
		t.Errorf("got %v", err)
	}
}

// TestDevicesAreListedOnce expects at least one device and no two alike.
func TestDevicesAreListedOnce(t *testing.T) {
	infos, err := Devices()
	check(t, err)
	seen := map[string]bool{}
	for i, d := range infos {
		if d.Index != i {
			t.Errorf("device %d says it is %d", i, d.Index)
		}
		if seen[d.Label()] {
			t.Errorf("%s is listed twice", d.Label())
		}
		seen[d.Label()] = true
	}
	if len(seen) == 0 {
		t.Error("no device")
	}
}

// TestDoctorReportsEveryDevice expects a complete profile of each usable device, a reason for each
// other, and the same after a trip through JSON.
func TestDoctorReportsEveryDevice(t *testing.T) {
	r, err := Doctor(within(t))
	check(t, err)
	infos, err := Devices()
	check(t, err)
	if len(r.Devices) != len(infos) {
		t.Fatalf("%d reports of %d devices", len(r.Devices), len(infos))
	}
	usable := 0
	for _, d := range r.Devices {
		t.Logf("%s: usable %v in %.1f ms %s", d.Info.Label(), d.Usable, d.OpenMs, d.Error)
		if d.Usable != (d.Error == "") || d.Usable != (d.Profile != nil) {
			t.Errorf("usable %v, error %q, profile %v", d.Usable, d.Error, d.Profile != nil)
		}
		if d.Usable {
			usable++
		}
	}
	if usable == 0 {
		t.Error("no usable device")
	}
	out, err := json.Marshal(r)
	check(t, err)
	var back Report
	check(t, json.Unmarshal(out, &back))
	again, err := json.Marshal(back)
	check(t, err)
	if string(out) != string(again) {
		t.Errorf("not equal after a trip through JSON:\n%s\n%s", out, again)
	}
}

// TestDoctorEndsWithItsContext expects an ended context to end the examination.
func TestDoctorEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Doctor(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestOpenGLErrorsAreTyped maps what glGetError says to the contract's kinds.
func TestOpenGLErrorsAreTyped(t *testing.T) {
	for code, want := range map[uint32]error{
		glapi.OutOfMemory: engine.ErrDeviceOutOfMemory, glapi.ContextLost: engine.ErrDeviceLost, 0x0502: engine.ErrUnknown,
	} {
		err := outOfMemory(typed("try", &glapi.CallError{Call: "glTry", Code: code}), 7, 5)
		if !errors.Is(err, want) {
			t.Errorf("0x%04x: %v", code, err)
		}
		e, _ := errors.AsType[*engine.Error](err)
		if code == glapi.OutOfMemory && (e.Requested != 7 || e.Available != 5) {
			t.Errorf("requested %d, available %d", e.Requested, e.Available)
		}
	}
}
