// Package run owns one run from the command line: a workload on a backend. It assembles the
// kernel, starts the session, joins workload, session, hub and recording, and at the end gives the
// totals and the verification.
//
// # Workloads
//
// OpenWorkload finds workloads: the shipped ones by name, a user's own by the folder that holds
// its workload.toml.
//
// # Detached runs
//
// A detached run continues without its terminal. The program starts itself: the process that the shell knows
// (Supervise) waits, and the one that runs the workload can leave the terminal, because it does not lead a process group:
// it makes a session of its own, writes to a log file from then on, and tells the waiting process, which ends.
//
// The log files, and what is known of each detached run, are kept in a directory (DetachedDir) for vyretop list and attach.
package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/engine/vitals"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// Config says what to run, and how.
type Config struct {
	Workload      workload.Workload
	Backend       engine.Backend       // stays the caller's to close
	More          []engine.Backend     // that share the work, which the workload must be able to (workload.Sharer); the caller's, too
	Want          policy.Config        // workers at most, 0: what suits the device; and when the run drains, 0: never
	WorkgroupSize int                  // 0: what suits the device
	CheckAccess   bool                 // the kernel notices accesses out of range where the backend does not
	Lanes         int                  // that a worker fills; 0: all
	Slice         time.Duration        // longest slice; 0: what suits the device
	NoInline      bool                 // see kernel.Config.NoInline
	StartNow      bool                 // the interpreter does the work until the device, which must be the only one, has compiled the kernel
	Mode          Mode                 // when the kernel is specialized; "": never
	Tuned         *megakernel.Shape    // that vyretop tune has kept; nil: none
	Log           []megakernel.Setting // what the debug log takes; default everything, sampled as much as it must be
	Outputs       []Output             // buffers to write at the end
	Record        string               // file of the recording, "" for none
	Segments      fixtures.Segments    // files of that, which cannot be executed again; the zero value: one
	Warn          func(text string)    // told what goes wrong with the recording when it does; nil: only an event says it
	Label         string               // the user's name for the run; "" for none
	Version       string               // of this program, for the recording
	// Handlers reads the workload's handlers again, with the names and bindings of its buffers; nil where they have no files.
	Handlers func() (*workload.Setup, error)
	Vitals   vitals.Opener // what reads the devices of the host; nil: nothing does
	Queue    Queue         // that the work is taken from; nil: all of it is done here
	// Survivors is the folder where the end of the run is kept while it runs, as its process may be killed (Rescue); "" for none. A
	// recording makes it needless. Surviving, which may be nil, is told the file.
	Survivors string
	Surviving func(file string)
}

// Queue hands out the work of a workload that other processes do as well.
type Queue interface {
	// Feed is where the units come from.
	Feed() *workload.Feed
	// Begin takes work for a workload that is set up, until the queue is done or ctx ends.
	Begin(ctx context.Context, w workload.Queued) error
	// Join has the workload take in what other processes have found. It is called when the queue is done.
	Join(ctx context.Context) error
}

// Run is a run under way. Work, Finish and Close are called in this order, from one goroutine.
type Run struct {
	workload  workload.Workload
	backend   engine.Backend
	group     *group       // nil before the start and after the end
	source    live.Session // that the hub reads
	hub       *live.Hub
	recorder  *fixtures.Writer  // of the whole run; nil when that is not recorded
	later     asked             // from some time on
	recorders recorders         // of all that the hub sees
	inputs    hostInputs        // that are recorded, of the host
	warn      func(text string) // Config.Warn
	box       past              // what happened last
	header    fixtures.Header
	outputs   outputs
	atMost    time.Duration // of the work; 0: no limit
	stopHub   func()        // ends the hub's goroutine after a last reading
	asked     chan struct{} // closed when somebody asks for the end of the run
	begun     time.Time     // when the kernel was running
	elapsed   time.Duration // from then to the end of the work
	paused    time.Duration // of that, how long all workers were paused
	worked    time.Duration // length of the work alone
	checked   *checked      // the last verification, nil before the first
	forgone   bool          // the verification is not waited for

	queue     Queue // nil: all of the work is done here
	unwritten error // what the workload could not write of its result

	steering
}

// Start reads the workload's inputs, builds its kernel and launches it. Nothing is published yet.
func Start(ctx context.Context, c Config) (*Run, error) {
	if err := c.share(); err != nil {
		return nil, err
	}
	setup, err := c.Workload.Setup(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkOutputs(c.Outputs, setup); err != nil {
		return nil, err
	}
	r := &Run{workload: c.Workload, backend: c.Backend, outputs: outputs{list: c.Outputs}, atMost: c.Want.MaxWallTime, queue: c.Queue, asked: make(chan struct{})}
	r.steering.run = r
	r.reloads.begin(setup, c.Handlers)
	if c.Record != "" {
		r.inputs.recordPages(setup)
	}
	events := &lateEvents{}
	k, err := r.launch(ctx, c, setup, events)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.watch(c.specializer(r, k.Config))
	events.connect(r.hub.Tell)
	return r, nil
}

// launch starts the session, the recording and the hub, in this order.
func (r *Run) launch(ctx context.Context, c Config, setup *workload.Setup, events *lateEvents) (*kernel.Kernel, error) {
	k, err := r.startSessions(ctx, &c, setup, events)
	if err != nil {
		return nil, err
	}
	r.begun = time.Now()
	told := r.group.members[0] // tells of the workload and the host
	told.vitals = sampleVitals(c)
	if g, ok := c.Workload.(workload.Grapher); ok {
		told.graph = g.Graph
	}
	return k, r.observe(c, setup, k)
}

// observe starts the recording and the hub.
func (r *Run) observe(c Config, setup *workload.Setup, k *kernel.Kernel) (err error) {
	h := live.Options{Stop: sync.OnceFunc(func() { close(r.asked) }), Record: r.record, Recorder: &r.recorders, Runner: &r.steering}
	r.header, r.warn = r.describe(c, k), c.Warn
	r.box.BlackBox = fixtures.NewBlackBox(r.header, fixtures.Span, fixtures.Bytes)
	if c.Record != "" && c.Segments.Every > 0 {
		if err := recordSegments(r, c.Record, c.Segments); err != nil {
			return err
		}
	} else if c.Record != "" {
		recorded := r.header
		recorded.Start = startOf(setup, len(c.backends()))
		if r.recorder, err = fixtures.Create(c.Record, recorded); err != nil {
			return err
		}
		recordStart(r.recorder, setup, recorded.Start)
		r.inputs.writes = setup.HostWrites > 0
		r.inputs.begin(r.recorder, recorded.Start, r.header.Target.Started)
		r.inputs.states.begin(r.recorder, recorded.Start, func(i int) []uint32 { return setup.Buffers[i].Initial }, r.header.Target.Started)
		r.group.members[0].states = &r.inputs.states
		r.recorders.add(r.recorder)
	}
	r.recorders.add(r.box.BlackBox)
	if c.Record == "" && c.Survivors != "" {
		r.box.begin(c.Survivors, pastName(&r.header.Target))
		if c.Surviving != nil && r.box.file != "" {
			c.Surviving(r.box.file)
		}
	}
	r.source = r.group.source()
	r.hub = live.New(r.source, r.group.target, h)
	r.group.event = r.hub.Event
	if c.Record != "" {
		tellRecorder(r, megakernel.EventRecording, "recording to "+c.Record)
	}
	if w := r.recorder; w != nil {
		w.OnTrouble(func(text string) { r.tellTrouble(w, text) })
	}
	return nil
}

// sampleVitals polls the devices of the host.
func sampleVitals(c Config) *vitals.Sampler {
	if c.Vitals == nil {
		return nil
	}
	return vitals.Sample(c.Vitals, nil, func(d []vitals.Device) {
		for _, b := range c.backends() {
			vitals.Mark(d, b.Identity())
		}
	})
}

// LogRecords is the size of each ring of the debug log of a run: what the quickest kernel writes while the host's processors are
// busy elsewhere for 25 ms.
const LogRecords = 1 << 19

// Assemble builds the kernel of a workload for a device; a workgroup size of 0 is what suits it.
func Assemble(setup *workload.Setup, p engine.DeviceProfile, workgroupSize int) (*kernel.Kernel, error) {
	return assemble(setup, kernelConfig(setup, p, workgroupSize))
}

// referenceName is that of the backend that reports accesses out of range itself.
const referenceName = "reference"

func (c *Config) assemble(setup *workload.Setup, b engine.Backend) (*kernel.Kernel, error) {
	k := kernelConfig(setup, b.Profile(), c.WorkgroupSize)
	k.IndexChecks = c.CheckAccess && b.Identity().Name != referenceName
	k.NoInline = c.NoInline
	return assemble(setup, k)
}

func kernelConfig(setup *workload.Setup, p engine.DeviceProfile, workgroupSize int) kernel.Config {
	if workgroupSize == 0 {
		workgroupSize = resident.DefaultWorkgroupSize(p)
	}
	c := setup.Config()
	c.WorkgroupSize, c.LogRecords = workgroupSize, LogRecords
	c.Suit(p)
	return c
}

func assemble(setup *workload.Setup, c kernel.Config) (*kernel.Kernel, error) {
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, err
	}
	return k, setup.CheckBindings(k.Program.Tree)
}

func buffers(setup *workload.Setup) []resident.BufferInit {
	out := make([]resident.BufferInit, len(setup.Buffers))
	for i, b := range setup.Buffers {
		out[i] = resident.BufferInit{Name: b.Name, Binding: b.Binding, Words: b.Words, Data: b.Initial, Placement: engine.DeviceLocal, Picture: b.Picture}
		if b.HostVisible {
			out[i].Placement = engine.HostVisible
		}
	}
	return out
}

// describe makes what a recording, or a stream, says about the run before anything happened.
func (r *Run) describe(c Config, k *kernel.Kernel) fixtures.Header {
	profile, err := json.Marshal(c.Backend.Profile())
	if err != nil {
		panic("BUG: device profile: " + err.Error()) // plain data
	}
	target := r.group.target
	target.Tuned = c.Tuned
	h := fixtures.Header{
		Target: target, Version: c.Version, Profile: profile,
		Host:   fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Kernel: []fixtures.Source{{Name: k.Program.Name, Text: k.Program.Text}},
	}
	for _, s := range k.Config.Sources {
		h.Kernel = append(h.Kernel, fixtures.Source{Name: s.Name, Text: s.Text})
	}
	return h
}

// watch runs the hub until stopHub is called.
func (r *Run) watch(z *specializer) {
	ctx, cancel := context.WithCancel(context.Background())
	var both sync.WaitGroup
	both.Go(func() { r.hub.Run(ctx) })
	both.Go(func() { z.run(ctx) })
	both.Go(func() { r.readyBreakpoints(ctx) })
	r.stopHub = func() {
		cancel()
		both.Wait()
	}
}

// Header is what a recording says about the run before anything happened.
func (r *Run) Header() fixtures.Header { return r.header }

// Hub is the view of the run that a dashboard shows.
func (r *Run) Hub() *live.Hub { return r.hub }

// StopAsked is closed when somebody has asked the hub to stop the run; who runs it is to end the work then.
func (r *Run) StopAsked() <-chan struct{} { return r.asked }

// AwaitRest waits until nothing is left that the target could do by itself.
func (r *Run) AwaitRest(ctx context.Context) error { return r.group.awaitRest(ctx) }

// Snapshot reads the target now, whether or not the hub does.
func (r *Run) Snapshot() *megakernel.Snapshot { return r.source.Snapshot() }

// Progress tells how far the workload is, as workload.Workload does.
func (r *Run) Progress() (done, total int64, unit string) { return r.workload.Progress() }

// Work runs the workload to its end, or until ctx is done, the time that Config.Want gives is over
// (context.DeadlineExceeded), or the target fails.
func (r *Run) Work(ctx context.Context) error {
	if r.atMost > 0 {
		limited, cancel := context.WithTimeout(ctx, r.atMost)
		defer cancel()
		ctx = limited
	}
	began := time.Now()
	err := r.perform(ctx, func(err error) error {
		if err == nil && r.atMost > 0 && r.group.awaitRest(ctx) != nil {
			err = ctx.Err() // tasks that handlers have spawned run on, perhaps without end
		}
		if err == nil && r.group.awaitUnheld(ctx) != nil {
			err = ctx.Err() // a task that a breakpoint holds would be gone
		}
		r.worked, r.elapsed, r.paused = time.Since(began), time.Since(r.begun), r.group.pausedFor()
		return err
	})
	if errors.Is(err, workload.ErrOutput) && ctx.Err() == nil {
		r.unwritten = err // the work itself has come to its end
		return nil
	}
	return err
}

// Worked is how long Work took, once it has returned.
func (r *Run) Worked() time.Duration { return r.worked }

// Close ends the session, the hub and the recording, whatever state they are in. Its error tells
// when the target failed or the recording is incomplete.
func (r *Run) Close() error {
	var errs []error
	r.later.endAsking()
	if r.group != nil {
		errs = append(errs, r.group.stop(context.Background()))
	}
	if r.stopHub != nil {
		r.stopHub()
		r.stopHub = nil
	}
	if r.group != nil {
		r.group.members[0].vitals.Close()
		errs = append(errs, r.group.close())
		r.group = nil
	}
	r.box.close()
	return errors.Join(append(errs, r.closeRecordings())...)
}
