package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vyretop/engine"
	"vyretop/engine/dispatch"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
)

// dispatchFlags are the flags of dispatch as they are written.
type dispatchFlags struct {
	deviceFlags
	grid, workgroup string
	in, size, out   []string
	values          valueFlags
	timeout         time.Duration
	label, profile  string
	maxOutputBytes  uint64
	fixpoint        uint32
	ulpBudget       uint8
	cooperative     bool
	persistent      string
	indirect        string
	speculation     string
	confirm         string
	repeat          int
	queued          bool
	parallel        int
	subgroup        int
	json            bool
}

// valueFlags are the flags that give values to what a kernel names.
type valueFlags struct{ uniform, spec, image, sampler, save, define, include []string }

// persistentModes are the values of --persistent.
var persistentModes = map[string]engine.PersistentThread{
	"auto": engine.PersistentAuto, "force": engine.PersistentForce, "disable": engine.PersistentDisable,
}

func (f *dispatchFlags) register(s *pflag.FlagSet) {
	f.deviceFlags.register(s, "that runs the kernel")
	f.registerShape(s)
	s.StringArrayVar(&f.out, "out", nil, "write a buffer to a file after the run: BINDING=FILE")
	s.StringArrayVar(&f.values.save, "save", nil, "write an image to a file after the run: BINDING=FILE.png or FILE.exr, or another FILE for raw texels")
	s.DurationVar(&f.timeout, "timeout", 0, "time limit, such as 10s")
	s.StringVar(&f.label, "label", "", "name of the dispatch in errors and GL debuggers")
	s.StringVar(&f.profile, "profile", engine.ProfileDefault, "execution profile: default, stress, or a mode of the backend")
	s.Uint64Var(&f.maxOutputBytes, "max-output-bytes", 0, "refuse a dispatch that could write more")
	s.Uint32Var(&f.fixpoint, "fixpoint-iterations", 1, "number of iterations over the same buffers")
	s.Uint8Var(&f.ulpBudget, "ulp-budget", 0, "allowed error of approximate functions, in ULP (0: exact)")
	s.BoolVar(&f.cooperative, "cooperative", false, "keep all workgroups resident at once")
	s.StringVar(&f.persistent, "persistent", "auto", "run the whole grid on resident workgroups: auto, force, disable")
	s.StringVar(&f.indirect, "indirect", "", "read the grid from three words of a buffer: BINDING or BINDING:WORD")
	s.StringVar(&f.speculation, "speculation", "off", "fuse prefilter and confirm into one dispatch: off, on, adaptive")
	s.StringVar(&f.confirm, "confirm", "", "file with confirm and commit, for a FILE.comp that defines prefilter")
	s.IntVar(&f.parallel, "parallel", 0, "goroutines of the reference backend; the order varies (0: one, in a fixed order)")
	s.IntVar(&f.repeat, "repeat", 1, "number of dispatches, each with the same inputs")
	s.BoolVar(&f.queued, "queued", false, "queue all repeats at once, each with its own buffers, and check that their outputs are equal")
	s.BoolVar(&f.json, "json", false, "print one JSON document")
}

// registerShape adds the flags that say what a kernel runs on: its grid, workgroups and buffers.
func (f *dispatchFlags) registerShape(s *pflag.FlagSet) {
	s.StringVar(&f.grid, "grid", "", "workgroups as X,Y,Z (default: one invocation for each element of the largest output; of an image along its axes, if the workgroup has several)")
	s.StringVar(&f.workgroup, "workgroup", "", "workgroup size as X,Y,Z (default: the kernel's)")
	s.StringArrayVar(&f.in, "in", nil, "fill a buffer from a file: BINDING=FILE")
	s.StringArrayVar(&f.size, "size", nil, "size of a buffer: BINDING=BYTES")
	s.StringArrayVar(&f.values.uniform, "uniform", nil, "value of a uniform: NAME=VALUE, such as scale=0.5, light.color=1,0,0 or weights[2]=3")
	s.StringArrayVar(&f.values.image, "image", nil, "fill an image: BINDING=FILE.png or FILE.exr, BINDING=640x480 (empty) or BINDING=FILE:640x480 (raw texels); NAME works in place of BINDING")
	s.StringArrayVar(&f.values.sampler, "sampler", nil, "sample a texture: BINDING=nearest,clamp_to_edge; filters nearest and linear, wrap modes, border=R:G:B:A, mipmaps, compare=less for shadow samplers (default: linear,repeat)")
	s.StringArrayVar(&f.values.spec, "spec", nil, "value of a specialization constant: ID=VALUE")
	s.StringArrayVarP(&f.values.define, "define", "D", nil, "define a macro before the first line: NAME or NAME=VALUE")
	s.StringArrayVarP(&f.values.include, "include", "I", nil, "folder to search for included files, after the folder of the including file")
	s.IntVar(&f.subgroup, "subgroup", 0, "subgroup size, a power of two up to 128 (default: the device's; 32 on the reference backend)")
}

// shapeOnly gives the flags that a command does not have the values that dispatch gives them.
func (f *dispatchFlags) shapeOnly() {
	f.register(pflag.NewFlagSet("", pflag.ContinueOnError))
	f.backend = "reference"
}

// request turns the flags into what they ask for.
func (f *dispatchFlags) request(set *pflag.FlagSet) (*dispatch.Request, error) {
	if err := f.deviceFlags.check(); err != nil {
		return nil, err
	}
	r := &dispatch.Request{}
	var err error
	if r.Inputs, err = byBinding("in", f.in, aFile); err != nil {
		return nil, err
	}
	if r.Sizes, err = byBinding("size", f.size, someBytes); err != nil {
		return nil, err
	}
	if r.Outputs, err = byBinding("out", f.out, aFile); err != nil {
		return nil, err
	}
	if r.Uniforms, err = byName("uniform", f.values.uniform); err != nil {
		return nil, err
	}
	if r.Images, err = byName("image", f.values.image); err != nil {
		return nil, err
	}
	if r.Samplers, err = byName("sampler", f.values.sampler); err != nil {
		return nil, err
	}
	if r.Saves, err = byName("save", f.values.save); err != nil {
		return nil, err
	}
	if r.Choices, err = f.choices(); err != nil {
		return nil, err
	}
	if r.Indirect, err = gridAt(f.indirect); err != nil {
		return nil, err
	}
	if r.Repeat = f.repeat; r.Repeat < 1 {
		return nil, usage(fmt.Sprintf("invalid --repeat %d: must be at least 1", f.repeat), "leave it out to dispatch once")
	}
	r.Queued = f.queued
	r.Config, err = f.config(set)
	return r, err
}

// choices are what the flags say of how the kernel is compiled.
func (f *dispatchFlags) choices() (c dispatch.Choices, err error) {
	if c.Spec, err = byBinding("spec", f.values.spec, aFile); err != nil {
		return c, err
	}
	if c.Subgroup = f.subgroup; c.Subgroup != 0 && !glsl.ValidSubgroup(c.Subgroup) {
		return c, usage(fmt.Sprintf("invalid --subgroup %d: must be a power of two from 1 to %d, as many as a ballot has bits", c.Subgroup, glsl.MaxSubgroup), "use 1, 2, 4, 8, 16, 32, 64 or 128")
	}
	for _, text := range f.values.define {
		name, body, given := strings.Cut(text, "=")
		if !given {
			body = "1"
		}
		c.Defines = append(c.Defines, preprocess.Define{Name: name, Body: body})
	}
	c.Search = f.values.include
	return c, nil
}

// gridAt parses BINDING or BINDING:WORD.
func gridAt(text string) (*dispatch.IndirectGrid, error) {
	if text == "" {
		return nil, nil
	}
	binding, word, given := strings.Cut(text, ":")
	b, err := strconv.ParseUint(binding, 10, 32)
	w := uint64(0)
	if given && err == nil {
		w, err = strconv.ParseUint(word, 10, 32)
	}
	if err != nil {
		return nil, usage(fmt.Sprintf("invalid --indirect %q", text), "write it as BINDING or BINDING:WORD, such as 2 or 2:4")
	}
	return &dispatch.IndirectGrid{Binding: uint32(b), Word: uint32(w)}, nil
}

// config is the policy of the dispatch. What is left out stays the engine's default.
func (f *dispatchFlags) config(set *pflag.FlagSet) (c engine.DispatchConfig, err error) {
	c = engine.DispatchConfig{
		Profile: f.profile, ULPBudget: f.ulpBudget, Timeout: f.timeout, Label: f.label, Cooperative: f.cooperative,
	}
	if set.Changed("timeout") && f.timeout <= 0 {
		return c, usage(fmt.Sprintf("invalid --timeout %v: must be above 0", f.timeout), "use a duration such as 10s")
	}
	var known bool
	if c.PersistentThread, known = persistentModes[f.persistent]; !known {
		return c, usage(fmt.Sprintf("unknown --persistent %q", f.persistent), "use auto, force or disable")
	}
	if c.Speculation, known = engine.Speculations[f.speculation]; !known {
		return c, usage(fmt.Sprintf("unknown --speculation %q", f.speculation), "use off, on or adaptive")
	}
	if set.Changed("max-output-bytes") {
		c.MaxOutputBytes = engine.Known(f.maxOutputBytes)
	}
	if set.Changed("fixpoint-iterations") {
		c.FixpointIterations = engine.Known(f.fixpoint)
	}
	if set.Changed("grid") {
		if c.Grid, err = extent("grid", f.grid); err != nil {
			return c, err
		}
	}
	if set.Changed("workgroup") {
		size, err := extent("workgroup", f.workgroup)
		c.WorkgroupOverride = engine.Known(size)
		return c, err
	}
	return c, nil
}

// extent parses X,Y,Z; an axis that is left out is 1.
func extent(flag, text string) ([3]uint32, error) {
	out := [3]uint32{1, 1, 1}
	parts := strings.Split(text, ",")
	bad := len(parts) > len(out)
	for i := 0; i < len(parts) && !bad; i++ {
		n, err := strconv.ParseUint(parts[i], 10, 32)
		out[i], bad = uint32(n), err != nil || n == 0
	}
	if bad {
		return out, usage(fmt.Sprintf("invalid --%s %q: must be X,Y,Z", flag, text), "write one to three numbers above 0, such as 64,4,1")
	}
	return out, nil
}

// byBinding parses the values BINDING=… of a flag.
func byBinding[T any](flag string, values []string, parse func(string) (T, bool)) (map[uint32]T, error) {
	out := map[uint32]T{}
	for _, v := range values {
		number, rest, _ := strings.Cut(v, "=")
		binding, err := strconv.ParseUint(number, 10, 32)
		value, ok := parse(rest)
		if err != nil || !ok {
			return nil, usage(fmt.Sprintf("invalid --%s %q", flag, v), "write it as --"+flag+" "+numberFlag(flag)+"="+whatFlag[flag])
		}
		if _, twice := out[uint32(binding)]; twice {
			return nil, usage(fmt.Sprintf("--%s names %s %d twice", flag, strings.ToLower(numberFlag(flag)), binding), "give it once")
		}
		out[uint32(binding)] = value
	}
	return out, nil
}

// byName parses the values NAME=VALUE of a flag.
func byName(flag string, values []string) (map[string]string, error) {
	out := map[string]string{}
	for _, v := range values {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" || value == "" {
			return nil, usage(fmt.Sprintf("invalid --%s %q", flag, v), "write it as --"+flag+" NAME=VALUE")
		}
		if _, twice := out[name]; twice {
			return nil, usage(fmt.Sprintf("--%s names %s twice", flag, name), "give it once")
		}
		out[name] = value
	}
	return out, nil
}

// whatFlag tells what follows the binding.
var whatFlag = map[string]string{"in": "FILE", "size": "BYTES", "out": "FILE", "spec": "VALUE"}

// numberFlag tells what the number before the = is.
func numberFlag(flag string) string {
	if flag == "spec" {
		return "ID"
	}
	return "BINDING"
}

func aFile(s string) (string, bool) { return s, s != "" }

func someBytes(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}
