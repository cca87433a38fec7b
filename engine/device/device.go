// Package device owns the choice of a backend: OpenGL where it can be had, otherwise the CPU
// reference, and never in silence.
package device

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/reference"
	"vyretop/gl"
)

// The names of the backends on the command line.
const (
	Auto      = "auto"
	OpenGL    = "gl"
	Reference = "reference"
)

// Names are the values of --backend.
var Names = []string{Auto, OpenGL, Reference}

// AutoDevice as Choice.Device lets the backend pick.
const AutoDevice = gl.AutoDevice

// ErrUnavailable is matched by the error of Open when no device could be opened.
const ErrUnavailable fault.Kind = "no usable device"

// Choice is what the user asked for.
type Choice struct {
	Backend string // one of Names
	Device  int    // index as `vyretop doctor` lists them, or AutoDevice
	Seed    uint64 // of the reference backend's scheduler
	Workers int    // that the run asks for, 0 for the default
	// Parallel is how many goroutines run the reference backend's workgroups, in an order that varies; 0 for one, and
	// the order of Seed.
	Parallel int
	Fresh    bool             // compile every kernel by the driver, and keep none for later processes
	Apart    func() *exec.Cmd // see gl.Options.Apart
}

// residentGroups is how many workgroups the reference backend interleaves when the run asks for no
// number of workers: enough for an order that the seed decides, few enough for an interpreter.
const residentGroups = 5

// Openers make backends. The zero value uses the real ones.
type Openers struct {
	GL        func(ctx context.Context, o gl.Options) (engine.Backend, error)
	Reference func(o reference.Options) (engine.Backend, error)
}

// Open makes the backend that was chosen. The notice is not empty when Auto had to fall back, and
// says why in one line. An error matches ErrUnavailable.
func (o Openers) Open(ctx context.Context, c Choice) (b engine.Backend, notice string, err error) {
	if c.Backend == Reference {
		b, err = o.reference(c)
		return b, "", err
	}
	b, err = o.gl(ctx, c)
	if err == nil || c.Backend == OpenGL || ctx.Err() != nil {
		return b, "", err
	}
	notice = "OpenGL cannot be used, running on the reference backend: " + firstLine(err)
	b, err = o.reference(Choice{Device: AutoDevice, Seed: c.Seed, Workers: c.Workers, Parallel: c.Parallel})
	return b, notice, err
}

func (o Openers) gl(ctx context.Context, c Choice) (engine.Backend, error) {
	open := o.GL
	if open == nil {
		open = openGL
	}
	options := gl.Options{Device: c.Device, Apart: c.Apart}
	if c.Fresh {
		options.ProgramCache = gl.NoProgramCache
	}
	b, err := open(ctx, options)
	return b, unavailable(err)
}

func (o Openers) reference(c Choice) (engine.Backend, error) {
	if c.Device != AutoDevice && c.Device != 0 {
		return nil, unavailable(&engine.Error{
			Code: engine.CodeInvalidProgram, Backend: Reference, Op: fmt.Sprintf("open device %d", c.Device),
			Detail: "the reference backend has one device", Fix: "leave --device out, or use 0",
		})
	}
	open := o.Reference
	if open == nil {
		open = openReference
	}
	b, err := open(reference.Options{Seed: c.Seed, Resident: max(c.Workers, residentGroups), Parallel: c.Parallel})
	return b, unavailable(err)
}

func openGL(ctx context.Context, o gl.Options) (engine.Backend, error) {
	b, err := gl.Open(ctx, o)
	if err != nil {
		return nil, err // not b: a nil *gl.Backend would be a non-nil interface
	}
	return b, nil
}

func openReference(o reference.Options) (engine.Backend, error) {
	b, err := reference.Open(o)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{Kind: ErrUnavailable, Cause: err}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
