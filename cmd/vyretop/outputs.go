package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"vyretop/engine/fault"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// outputs is the value of --out of a run: NAME=FILE for a buffer, and FILE alone where the workload has an output of
// its own.
type outputs struct {
	own     *workload.Flag // the workload's --out, nil for none
	file    string         // of it
	buffers []run.Output
}

// errNoBuffer says that --out names no buffer.
const errNoBuffer fault.Kind = "the name of the buffer is missing"

// registerOutputs adds --out to the flags of a run, in place of the workload's own.
func registerOutputs(s *pflag.FlagSet, d workload.Definition) *outputs {
	o := &outputs{}
	help := "write a buffer to a file at the end, as NAME=FILE, little-endian words; may be repeated"
	if flags := d.Flags(); slices.ContainsFunc(flags, func(f workload.Flag) bool { return f.Name == "out" }) {
		o.own = &flags[slices.IndexFunc(flags, func(f workload.Flag) bool { return f.Name == "out" })]
		help = o.own.Help + "; " + help
	}
	s.Var(o, "out", help)
	return o
}

func (o *outputs) String() string { return o.file }
func (o *outputs) Type() string   { return "FILE" }

// Set implements pflag.Value. A file whose name has the form of NAME=FILE can be given as ./NAME=FILE.
func (o *outputs) Set(text string) error {
	name, file, named := strings.Cut(text, "=")
	switch {
	case named && !strings.ContainsAny(name, "./\\ ") && name != "":
		if file == "" {
			return fmt.Errorf("the file is missing, as in %s=FILE", name)
		}
		o.buffers = append(o.buffers, run.Output{Buffer: name, File: file})
	case o.own == nil:
		return errNoBuffer
	default:
		o.file = text
	}
	return nil
}
