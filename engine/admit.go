package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Limits is what a backend lets decide whether a program or a dispatch can run. The checks below are
// the same for every backend, so that what is wrong with a dispatch is the same error everywhere.
type Limits struct {
	Backend          string
	MaxWorkgroups    [3]uint32
	MaxWorkgroupSize [3]uint32
	MaxInvocations   uint32
	Profiles         []string // of its own, beside those that every backend has
	PersistentThread bool

	// Cooperative is how many workgroups are certain to be resident at once, whatever their size; unknown
	// when the device promises nothing of the kind.
	Cooperative Optional[uint32]
	// AtGridBarrier is how many workgroups can wait at gridBarrier(); unknown means any number.
	AtGridBarrier Optional[uint32]
}

// Launch is a dispatch that has passed Limits.Admit.
type Launch struct {
	Label     string
	Workgroup [3]uint32 // workgroup size
	Grid      [3]uint32 // workgroups; zero when it is indirect
	Runs      uint32    // back to back
}

// Workgroups is the number of workgroups of one run.
func (l *Launch) Workgroups() uint64 {
	return uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
}

// refusal is a reason to refuse a dispatch; it becomes an *Error only then.
type refusal struct{ detail, fix string }

func refuse(fix, format string, args ...any) *refusal {
	return &refusal{detail: fmt.Sprintf(format, args...), fix: fix}
}

// Admit checks a dispatch of p and completes what the caller left open. It allocates nothing unless it
// refuses. Whose the buffers are, and whether they are alive, is the backend's to check.
func (l *Limits) Admit(p *Program, bindings []Binding, cfg *DispatchConfig) (Launch, error) {
	launch := Launch{Label: cfg.Label, Workgroup: cfg.WorkgroupOverride.Or(p.WorkgroupSize), Runs: cfg.FixpointIterations.Or(1)}
	if launch.Label == "" {
		launch.Label = p.Name
	}
	if err := l.admitFeatures(&launch, cfg); err != nil {
		return launch, err
	}
	r := checkConfig(cfg)
	if r == nil {
		r = l.checkWorkgroup(launch.Workgroup)
	}
	if r == nil {
		r = checkBindings(p.Buffers, bindings)
	}
	if r == nil {
		r = l.settleGrid(&launch, p, bindings, cfg)
	}
	if r != nil {
		return launch, l.invalid(launch.Label, r)
	}
	if err := l.checkResidency(&launch, p, cfg); err != nil {
		return launch, err
	}
	return launch, l.checkOutputs(&launch, p, bindings, cfg)
}

func (l *Limits) invalid(label string, r *refusal) error {
	return &Error{Code: CodeInvalidProgram, Backend: l.Backend, Op: "dispatch " + quoted(label), Detail: r.detail, Fix: r.fix}
}

// CheckProgram refuses a program that does not fit the device.
func (l *Limits) CheckProgram(p *Program) error {
	r := l.checkWorkgroup(p.WorkgroupSize)
	if r == nil {
		r = checkSpecs(p.Buffers)
	}
	if r == nil {
		return nil
	}
	return &Error{Code: CodeInvalidProgram, Backend: l.Backend, Op: "compile " + quoted(p.Name), Detail: r.detail, Fix: r.fix}
}

func checkSpecs(specs []BufferSpec) *refusal {
	for i, s := range specs {
		for _, other := range specs[:i] {
			if other.Binding == s.Binding {
				return refuse("give every storage block its own binding", "buffers %q and %q share binding %d", other.Name, s.Name, s.Binding)
			}
		}
	}
	return nil
}

// axes name the components of sizes in messages.
var axes = [3]string{"x", "y", "z"}

func (l *Limits) checkWorkgroup(size [3]uint32) *refusal {
	total := uint64(1)
	for i, n := range size {
		if n == 0 || n > l.MaxWorkgroupSize[i] {
			return refuse("choose a workgroup size within the device's limits", "workgroup size %s is %d, the device takes 1 to %d", axes[i], n, l.MaxWorkgroupSize[i])
		}
		total *= uint64(n)
	}
	if total > uint64(l.MaxInvocations) {
		return refuse("choose a smaller workgroup size", "a workgroup of %d invocations, the device takes %d", total, l.MaxInvocations)
	}
	return nil
}

// admitFeatures checks the choices whose support depends on the backend.
func (l *Limits) admitFeatures(launch *Launch, cfg *DispatchConfig) error {
	switch cfg.Profile {
	case "", ProfileDefault, ProfileStress:
	default:
		if !slices.Contains(l.Profiles, cfg.Profile) {
			return l.invalid(launch.Label, refuse("use one of them", "unknown profile %q; known are %s", cfg.Profile, strings.Join(l.KnownProfiles(), ", ")))
		}
	}
	if cfg.PersistentThread == PersistentForce && !l.PersistentThread {
		return &Error{Code: CodeUnsupportedFeature, Backend: l.Backend, Op: "dispatch " + quoted(launch.Label), Feature: "persistent-thread dispatch",
			Detail: "the device cannot keep workgroups resident", Fix: "let the backend choose (auto), or use another device"}
	}
	return nil
}

// KnownProfiles lists the names that DispatchConfig.Profile may have.
func (l *Limits) KnownProfiles() []string {
	return append([]string{ProfileDefault, ProfileStress}, l.Profiles...)
}

func checkConfig(cfg *DispatchConfig) *refusal {
	switch n, given := cfg.FixpointIterations.Get(); {
	case given && n == 0:
		return refuse("leave the number of runs out to run once", "0 fixpoint iterations")
	case cfg.Timeout < 0:
		return refuse("use 0 for none", "timeout %v", cfg.Timeout)
	case cfg.PersistentThread > PersistentDisable:
		return refuse("use auto, force or disable", "persistent-thread mode %d", cfg.PersistentThread)
	case cfg.Speculation > SpeculationAdaptive:
		return refuse("use off, on or adaptive", "speculation mode %d", cfg.Speculation)
	case cfg.Speculation != SpeculationOff:
		return refuse("compile it with package speculate, or do not speculate", "the program has no prefilter and confirmer to speculate on")
	}
	return nil
}

// checkBindings wants every declared buffer bound exactly once, large enough, and nothing else. Memory
// that the program writes may be bound at one place only: what it means at two depends on an order
// that nothing determines.
func checkBindings(specs []BufferSpec, bindings []Binding) *refusal {
	for i, b := range bindings {
		if b.Buffer == nil {
			return refuse("bind an allocated buffer", "binding %d has no buffer", b.Index)
		}
		for _, other := range bindings[:i] {
			if other.Index == b.Index {
				return refuse("bind each buffer once", "binding %d is bound twice", b.Index)
			}
			if other.Buffer == b.Buffer && (writes(specs, b.Index) || writes(specs, other.Index)) {
				return refuse("use a buffer of its own for what the program writes", "buffer %q is bound at %d and at %d, and the program writes it", b.Buffer.Name(), other.Index, b.Index)
			}
		}
		if specAt(specs, b.Index) == nil {
			return refuse("bind only what the program declares", "the program has no buffer at binding %d, where %q is bound", b.Index, b.Buffer.Name())
		}
	}
	for i := range specs {
		if r := checkBound(&specs[i], bindings); r != nil {
			return r
		}
	}
	return nil
}

func checkBound(s *BufferSpec, bindings []Binding) *refusal {
	buf := boundAt(bindings, s.Binding)
	if buf == nil {
		return refuse("bind every buffer that the program declares", "buffer %q at binding %d is not bound", s.Name, s.Binding)
	}
	if buf.Size() < s.MinWords {
		return refuse("allocate a larger buffer", "buffer %q at binding %d has %d words, the program needs %d", s.Name, s.Binding, buf.Size(), s.MinWords)
	}
	return nil
}

func specAt(specs []BufferSpec, index uint32) *BufferSpec {
	for i := range specs {
		if specs[i].Binding == index {
			return &specs[i]
		}
	}
	return nil
}

func writes(specs []BufferSpec, index uint32) bool {
	s := specAt(specs, index)
	return s != nil && s.Access != ReadOnly
}

func boundAt(bindings []Binding, index uint32) Buffer {
	for _, b := range bindings {
		if b.Index == index {
			return b.Buffer
		}
	}
	return nil
}

// checkResidency checks that all workgroups that wait for each other can be there at once. An indirect
// grid is checked by the backend, when it is known.
func (l *Limits) checkResidency(launch *Launch, p *Program, cfg *DispatchConfig) error {
	if p.UsesGridBarrier() {
		if most, limited := l.AtGridBarrier.Get(); limited && launch.Workgroups() > uint64(most) {
			return l.tooManyResident(launch, launch.Workgroups(), most)
		}
		return nil
	}
	if !cfg.Cooperative {
		return nil
	}
	most, known := l.Cooperative.Get()
	if !known || cfg.Indirect.Buffer != nil {
		return &Error{Code: CodeUnsupportedFeature, Backend: l.Backend, Op: "dispatch " + quoted(launch.Label), Feature: "cooperative dispatch",
			Detail: "the device does not tell that all workgroups of the grid are resident at once", Fix: "use gridBarrier() for what the workgroups wait for, and a grid that is not indirect"}
	}
	if launch.Workgroups() > uint64(most) {
		return l.tooManyResident(launch, launch.Workgroups(), most)
	}
	return nil
}

// tooManyResident is the error of a grid whose workgroups wait for each other and are more than fit.
func (l *Limits) tooManyResident(launch *Launch, n uint64, most uint32) error {
	return &Error{Code: CodeCooperativeResidencyExceeded, Backend: l.Backend, Op: "dispatch " + quoted(launch.Label),
		Detail: fmt.Sprintf("%d workgroups are to wait for each other, %d can be resident", n, most), Fix: "use a smaller grid, and let each workgroup do more"}
}

// checkOutputs holds the sizes of what the program may write against the caller's limit.
func (l *Limits) checkOutputs(launch *Launch, p *Program, bindings []Binding, cfg *DispatchConfig) error {
	limit, given := cfg.MaxOutputBytes.Get()
	if !given {
		return nil
	}
	var total uint64
	for _, b := range bindings {
		if writes(p.Buffers, b.Index) {
			total += uint64(b.Buffer.Size()) * wordBytes
		}
	}
	if total <= limit {
		return nil
	}
	return &Error{Code: CodeDispatchFailed, Backend: l.Backend, Op: "dispatch " + quoted(launch.Label),
		Detail: fmt.Sprintf("the outputs have %d bytes, the limit is %d", total, limit), Fix: "bind smaller buffers, or raise the limit"}
}

const wordBytes = 4
