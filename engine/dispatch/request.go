package dispatch

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
)

// Request says what to run over which files.
type Request struct {
	Choices // that the program was compiled with

	Inputs  map[uint32]string // files, by binding
	Sizes   map[uint32]uint64 // in bytes, by binding
	Outputs map[uint32]string // files, by binding; written when the dispatch has succeeded
	Config  engine.DispatchConfig

	Samplers map[string]string // how textures are sampled, by the same names
	Images   map[string]string // files or sizes of images, by their names or their bindings in the text; see docs/kernel-language.md
	Saves    map[string]string // files to which images are written when the dispatch has succeeded, likewise
	Uniforms map[string]string // values by name, as GLSL writes their components; see docs/kernel-language.md

	Pair     *Pair         // a prefilter and a confirmer, run as Config.Speculation says; nil: the program has a main
	Indirect *IndirectGrid // where the grid is; nil: as Config says
	Repeat   int           // dispatches, each over the same inputs; 0 means 1
	Queued   bool          // the repeats are begun together, each over buffers of its own; their outputs must be equal
}

// IndirectGrid is the place of a grid in a buffer: three words.
type IndirectGrid struct {
	Binding uint32
	Word    uint32
}

// ErrRequest is matched by the errors of requests that do not fit their program or their files.
const ErrRequest fault.Kind = "dispatch request cannot be served"

// block is one buffer to be made.
type block struct {
	spec  engine.BufferSpec
	bytes uint64
	input string // "" for zeros

	patches []patch  // after the input
	image   *picture // in the place of an input
}

const wordBytes = 4

// plan decides the size of every buffer of a program, and refuses what cannot work before anything runs. most is the largest
// buffer of the device, in bytes.
func (r *Request) plan(p *engine.Program, most engine.Optional[uint64]) ([]block, error) {
	if err := r.checkBindings(p); err != nil {
		return nil, err
	}
	if err := r.checkImages(p); err != nil {
		return nil, err
	}
	uniforms, err := r.patches(p)
	if err != nil {
		return nil, err
	}
	blocks := make([]block, 0, len(p.Buffers))
	for _, spec := range p.Buffers {
		b := block{spec: spec, input: r.Inputs[spec.Binding], patches: uniforms[spec.Binding]}
		if image := imageBlock(p, spec.Binding); image != nil {
			if b.image, err = r.picture(image); err == nil {
				b.bytes, err = b.image.bytes(), b.image.fits(most.Or(math.MaxUint64))
			}
		} else {
			b.bytes, err = r.size(spec)
		}
		if err != nil {
			return nil, err
		}
		if err := checkSize(spec, b.bytes, b.input != "", most.Or(math.MaxUint64)); err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	if err := r.checkIndirect(blocks); err != nil {
		return nil, err
	}
	return blocks, r.checkOutputs()
}

// checkSize refuses a size that the device does not take: most is its largest. The size that it suggests is one that the program can
// run with: not below what the kernel needs or its input has, and without an input not above what was asked for, which may be all that
// a device has.
func checkSize(s engine.BufferSpec, bytes uint64, input bool, most uint64) error {
	least := uint64(max(s.MinWords, 1)) * wordBytes
	whole := bytes - bytes%wordBytes
	if input {
		whole += wordBytes
	}
	detail := fmt.Sprintf("buffer %q at binding %d would have %d bytes", s.Name, s.Binding, bytes)
	switch {
	case bytes < least:
		return &fault.Error{Kind: ErrRequest, Detail: detail + fmt.Sprintf(", the kernel needs %d", least), Fix: fmt.Sprintf("give --size %d=%d or more", s.Binding, least)}
	case bytes > most && input:
		return &fault.Error{Kind: ErrRequest, Detail: detail + fmt.Sprintf(", a buffer of this device has at most %d", most), Fix: "split the input"}
	case bytes > most:
		return &fault.Error{Kind: ErrRequest, Detail: detail + fmt.Sprintf(", a buffer of this device has at most %d", most), Fix: fmt.Sprintf("give --size %d=%d or less", s.Binding, most-most%wordBytes)}
	case bytes%wordBytes != 0:
		return &fault.Error{Kind: ErrRequest, Detail: detail, Fix: fmt.Sprintf("buffers have whole 32-bit words; give --size %d=%d", s.Binding, whole)}
	}
	return nil
}

// checkIndirect refuses a grid that is in no buffer.
func (r *Request) checkIndirect(blocks []block) error {
	if r.Indirect == nil {
		return nil
	}
	i := slices.IndexFunc(blocks, func(b block) bool { return b.spec.Binding == r.Indirect.Binding })
	if i < 0 {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the indirect grid is in the buffer at binding %d, which the kernel does not have", r.Indirect.Binding), Fix: "name one of the kernel's bindings"}
	}
	if words := blocks[i].bytes / wordBytes; uint64(r.Indirect.Word)+3 > words {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the indirect grid is at word %d of buffer %q, which has %d words", r.Indirect.Word, blocks[i].spec.Name, words), Fix: "keep its three words inside the buffer"}
	}
	return nil
}

// checkBindings refuses what names a buffer that the program does not have.
func (r *Request) checkBindings(p *engine.Program) error {
	known := map[uint32]bool{}
	for _, s := range p.Buffers {
		known[s.Binding] = true
	}
	for _, given := range []struct {
		flag     string
		bindings []uint32
	}{{"--in", keys(r.Inputs)}, {"--size", keys(r.Sizes)}, {"--out", keys(r.Outputs)}} {
		for _, n := range given.bindings {
			if !known[n] {
				return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("%s names binding %d, where %q has no buffer", given.flag, n, p.Name), Fix: "use " + listed(keys(known))}
			}
		}
	}
	return nil
}

func keys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func listed(bindings []uint32) string {
	if len(bindings) == 0 {
		return "none of these flags: the kernel uses no buffers"
	}
	words := make([]string, len(bindings))
	for i, n := range bindings {
		words[i] = fmt.Sprint(n)
	}
	return "one of its bindings: " + strings.Join(words, ", ")
}

// size gives the bytes of a buffer.
func (r *Request) size(s engine.BufferSpec) (uint64, error) {
	if n, ok := r.Sizes[s.Binding]; ok {
		return n, nil
	}
	path, ok := r.Inputs[s.Binding]
	if !ok {
		if s.Count > 0 {
			return uint64(s.MinWords) * wordBytes, nil
		}
		return 0, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the size of buffer %q at binding %d is missing", s.Name, s.Binding), Fix: fmt.Sprintf("give --size %d=BYTES or --in %d=FILE", s.Binding, s.Binding)}
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, unreadable(s.Binding, path, err)
	}
	if !info.Mode().IsRegular() {
		return 0, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("input %d: the size of %s is unknown, it is not a regular file", s.Binding, path), Fix: fmt.Sprintf("give --size %d=BYTES too", s.Binding)}
	}
	return uint64(info.Size()), nil
}

func unreadable(binding uint32, path string, err error) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("input %d: %s cannot be read", binding, path), Cause: err, Fix: "name a file that you may read"}
}

// checkOutputs finds before the work is done that its results could not be kept.
func (r *Request) checkOutputs() error {
	taken := map[string]uint32{}
	for _, n := range keys(r.Outputs) {
		path := filepath.Clean(r.Outputs[n])
		if other, dup := taken[path]; dup {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the outputs %d and %d have one file, %s", other, n, path), Fix: "give each output its own file"}
		}
		taken[path] = n
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("output %d: %s is a folder", n, path), Fix: "name a file"}
		}
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("output %d: %s cannot be written", n, path), Cause: err, Fix: "name a file in a folder that exists"}
		}
	}
	return nil
}
