package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"vyretop/engine"
	"vyretop/engine/device"
)

// devices are those that a run uses together.
type devices struct {
	text string
	list []int            // nil: the best one
	all  bool             // the list is every GPU; those that cannot be opened are left out
	more []engine.Backend // of the list but for the first, once they are open
}

// allDevices is the value of --device for every GPU.
const allDevices = "all"

func (d *devices) register(s *pflag.FlagSet) {
	s.StringVar(&d.text, "device", strconv.Itoa(device.AutoDevice), "device index from vyretop doctor (-1: best device), or several that share the work: a list such as 0,1, or all")
}

// chooseDevices reads --device.
func (f *runFlags) chooseDevices() (err error) {
	f.list, f.device, f.all = nil, device.AutoDevice, f.text == allDevices
	if f.all {
		return f.deviceFlags.check()
	}
	for _, text := range strings.Split(f.text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < device.AutoDevice || n < 0 && text != f.text {
			return usage(fmt.Sprintf("invalid --device %q", f.text), "use an index that vyretop doctor lists, several such as 0,1, all, or -1")
		}
		f.list = append(f.list, n)
	}
	f.device = f.list[0]
	return f.deviceFlags.check()
}

// openDevices opens all devices of the run and returns the first; the others are in more.
func (f *runFlags) openDevices(ctx context.Context, a *app, c device.Choice) (first engine.Backend, err error) {
	if f.all {
		if f.list, err = device.All(f.backend); err != nil {
			return nil, err
		}
	}
	if len(f.list) == 1 {
		f.device = f.list[0]
		return f.open(ctx, a, c)
	}
	if f.backend == device.Auto {
		f.backend = device.OpenGL // named devices are not replaced by another one
	}
	var list []engine.Backend
	for i, n := range f.list {
		if slices.Contains(f.list[:i], n) {
			fmt.Fprintf(a.stderr, "vyretop: device %d is given again: another session on the same device\n", n)
		}
	}
	for _, n := range f.list {
		f.device = n
		b, err := f.open(ctx, a, c)
		switch {
		case err == nil:
			list = append(list, b)
		case f.all && ctx.Err() == nil:
			fmt.Fprintf(a.stderr, "vyretop: device %d is left out: %v\n", n, err)
		default:
			return nil, errors.Join(err, closeAll(list))
		}
	}
	if len(list) == 0 {
		f.device = device.AutoDevice
		return f.open(ctx, a, c) // says what is there
	}
	f.more = list[1:]
	return list[0], nil
}

// closeDevices closes all devices of the run.
func (f *runFlags) closeDevices(first engine.Backend) error {
	return errors.Join(first.Close(), closeAll(f.more))
}

func closeAll(list []engine.Backend) (err error) {
	for _, b := range list {
		err = errors.Join(err, b.Close())
	}
	return err
}
