package scan

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"vyretop/megakernel/workload"
)

// Driver is the value of "driver" in the manifest of a workload that this package supplies.
const Driver = "scan"

// patternFile is the default pattern list in the workload's folder.
const patternFile = "patterns.txt"

// Sizes of the buffers.
const (
	DefaultArenaMiB = 32
	maxArenaMiB     = 1024
	defaultRecords  = 1 << 16
)

// Definition is the Definition of a manifest with driver = "scan".
type Definition struct{ Manifest *workload.Manifest }

// Name implements workload.Definition.
func (d Definition) Name() string { return d.Manifest.Name }

// Title implements workload.Definition.
func (d Definition) Title() string { return d.Manifest.Title }

// Examples implements workload.Definition.
func (d Definition) Examples() []string { return d.Manifest.Examples }

// Flags implements workload.Definition.
func (d Definition) Flags() []workload.Flag {
	return []workload.Flag{
		{Name: "path", Default: ".", Value: "DIR", Help: "scan the regular files below this folder"},
		{Name: "patterns", Value: "FILE", Help: "literal patterns, one a line (default: a shipped list)"},
		{Name: "out", Value: "FILE", Help: "write path, offset and pattern line of every match to this file"},
		{Name: "arena", Default: strconv.Itoa(DefaultArenaMiB), Value: "MIB", Help: "memory for the text of pieces in flight"},
	}
}

// New implements workload.Definition.
func (d Definition) New(values map[string]string) (workload.Workload, error) {
	o := Options{Path: ".", ArenaBytes: DefaultArenaMiB << 20, Records: defaultRecords}
	for name, v := range values {
		switch name {
		case "path":
			o.Path = v
		case "patterns":
			o.Patterns = v
		case "out":
			o.Out = v
		case "arena":
			mib, err := strconv.Atoi(v)
			if err != nil || mib < 1 || mib > maxArenaMiB {
				return nil, workload.Failure(workload.ErrFlag, "--arena", fmt.Sprintf("%q does not fit", v), nil, fmt.Sprintf("use 1..%d MiB", maxArenaMiB))
			}
			o.ArenaBytes = mib << 20
		default:
			return nil, workload.Failure(workload.ErrFlag, "--"+name, "scan has no such flag", nil, "use --path, --patterns, --out or --arena")
		}
	}
	return New(d.Manifest, o), nil
}

// Options say what to scan and how much memory to use.
type Options struct {
	Path       string // folder
	Patterns   string // file, or "" for the list in the workload's folder
	Out        string // file for the matches, or ""
	ArenaBytes int    // text of all files in flight, a multiple of 1024
	Records    int    // in the ring of matches, a power of two
}

// Scan is one scan of one folder. It implements workload.Workload.
type Scan struct {
	manifest *workload.Manifest
	opt      Options

	automaton *Automaton
	patterns  []Pattern
	layout    layout
	readers   int // goroutines that read files; 0: the runner does
	tree      *tree
	shared    *shared // nil for one host

	progress   progress
	found      atomic.Int64 // matches so far
	mu         sync.Mutex   // of the next two, while files are searched
	unreadable int
	report     report
}

// New makes a scan. The manifest names buffers and handler.
func New(m *workload.Manifest, o Options) *Scan {
	return &Scan{manifest: m, opt: o, readers: readersHere()}
}

// Setup implements workload.Workload.
func (s *Scan) Setup(ctx context.Context) (*workload.Setup, error) {
	if err := workload.CheckOut(s.opt.Out); err != nil {
		return nil, err
	}
	var err error
	if s.patterns, err = s.loadPatterns(); err != nil {
		return nil, err
	}
	if err := checkLongest(s.opt.Patterns, s.patterns); err != nil {
		return nil, err
	}
	s.automaton = Compile(s.patterns)
	s.layout = s.automaton.layoutOf(s.opt.ArenaBytes)
	if s.tree, err = walk(ctx, s.opt.Path); err != nil {
		return nil, err
	}
	s.order()
	s.progress.expect(s.tree.bytes)
	s.unreadable = len(s.tree.warnings)
	setup, err := s.manifest.Setup(nil)
	if err != nil {
		return nil, err
	}
	setup.HostDriven = "the host reads files into its buffers while it runs, and their contents are not recorded"
	setup.HostWrites = s.layout.hostWrites(s.automaton, len(s.tree.files), s.tree.bytes)
	setup.Iterations = max(setup.Iterations, s.layout.rounds())
	return setup, s.size(setup)
}

func (s *Scan) loadPatterns() ([]Pattern, error) {
	if s.opt.Patterns != "" {
		return readPatterns(s.opt.Patterns)
	}
	data, err := s.manifest.ReadFile(patternFile)
	if err != nil {
		return nil, err
	}
	return ParsePatterns(patternFile, data)
}

// size gives the manifest's buffers their sizes and contents.
func (s *Scan) size(setup *workload.Setup) error {
	sizes := map[string]struct {
		words   int
		initial []uint32
	}{
		"table":   {len(s.automaton.Table), s.automaton.Table},
		"text":    {s.layout.words(), nil},
		"pieces":  {s.layout.entries * entryWords, nil},
		"matches": {ringHeader + s.opt.Records*recordWords, []uint32{0, uint32(s.opt.Records)}},
		"cursors": {cursorWords, nil},
	}
	for i := range setup.Buffers {
		b := &setup.Buffers[i]
		want, ok := sizes[b.Name]
		if !ok {
			return workload.Invalid(workload.ErrValue, workload.Where(s.manifest.File(), 0, "buffer "+b.Name), "the scan driver does not fill it", nil, "remove the buffer")
		}
		b.Words, b.Initial = want.words, want.initial
		delete(sizes, b.Name)
	}
	for name := range sizes {
		return workload.Invalid(workload.ErrMissing, workload.Where(s.manifest.File(), 0, "buffer "+name), "the scan driver needs it", nil, "take the [[buffer]] from the shipped workload")
	}
	return nil
}

// Run implements workload.Workload.
func (s *Scan) Run(ctx context.Context, h workload.Host) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := newRunner(s, h)
	if err != nil {
		return err
	}
	r.queue = s.inOrder()
	if err := r.search(ctx, cancel); err != nil {
		return err
	}
	return s.finish()
}

// search runs until every file is through.
func (r *runner) search(ctx context.Context, cancel context.CancelFunc) error {
	p := startPublisher(ctx, r.host)
	r.readers = startReaders(ctx, r.scan, r.layout, r.text)
	defer r.abandon()
	err := r.run(ctx, p)
	cancel()
	p.wait()
	r.readers.wait() // they write into the arena
	return err
}

// Progress implements workload.Workload.
func (s *Scan) Progress() (done, total int64, unit string) {
	done, total = s.progress.told()
	return done, total, "B"
}
