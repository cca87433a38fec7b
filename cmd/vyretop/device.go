package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/engine/fault"
)

// deviceFlags choose a backend and one of its devices.
type deviceFlags struct {
	backend string
	device  int
}

// register adds the flags; what says what the backend does.
func (f *deviceFlags) register(s *pflag.FlagSet, what string) { f.registerFor(s, "", what) }

// registerFor adds the flags with a text in front of their help.
func (f *deviceFlags) registerFor(s *pflag.FlagSet, when, what string) {
	f.registerBackend(s, when, what)
	s.IntVar(&f.device, "device", device.AutoDevice, when+"device index from vyretop doctor (-1: best device)")
}

func (f *deviceFlags) registerBackend(s *pflag.FlagSet, when, what string) {
	s.StringVar(&f.backend, "backend", device.Auto, when+"backend "+what+": "+strings.Join(device.Names, ", "))
}

// check finds values that no machine has.
func (f *deviceFlags) check() error {
	if !slices.Contains(device.Names, f.backend) {
		return usage(fmt.Sprintf("unknown --backend %q", f.backend), fault.Suggest(f.backend, device.Names, "use "+strings.Join(device.Names, ", ")))
	}
	if f.device < device.AutoDevice {
		return usage(fmt.Sprintf("invalid --device %d: must be -1 or more", f.device), "use an index that vyretop doctor lists, or -1")
	}
	return nil
}

// open opens the device, with what else a command chooses, and says where it is another one than was asked for.
func (f *deviceFlags) open(ctx context.Context, a *app, c device.Choice) (engine.Backend, error) {
	c.Backend, c.Device, c.Apart = f.backend, f.device, compilerFor(f.device)
	b, notice, err := device.Openers{}.Open(ctx, c)
	if err == nil && notice != "" {
		fmt.Fprintln(a.stderr, "vyretop: "+notice)
	}
	return b, err
}

// compilerFor makes the command of a process that compiles for a device and stores (runWorker of warm); nil where the program does
// not know its own file.
func compilerFor(index int) func() *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	return func() *exec.Cmd {
		return exec.Command(program, "warm", "--worker", "--device", strconv.Itoa(index))
	}
}

// closeTime is how long a kernel may continue after its dispatch was given up.
const closeTime = time.Second

// closeSoon closes a backend. A kernel that does not end keeps it from closing and nothing can stop it
// but the end of this process.
func closeSoon(b engine.Backend) error {
	closed := make(chan error, 1)
	go func() { closed <- b.Close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(closeTime):
		return nil
	}
}
