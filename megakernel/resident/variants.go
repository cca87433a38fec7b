package resident

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// variants are the kernel variants that are not specialized, beside the one of the launch: of other workgroup sizes, and
// those that look at breakpoints. Each is compiled at most once and shared by all forms that run it. Compiling continues
// when the caller that asked for it stops waiting, until the session ends.
type variants struct {
	mu    lock[variantsRank]
	ctx   context.Context // of compilations; ends with the session
	end   context.CancelFunc
	made  map[variantKey]*variant // being compiled or compiled; failed ones are removed
	uses  uint64
	ended bool
}

// maxVariants bounds the variants that are kept: the one that was not used for longest is dropped.
const maxVariants = 12

// variantKey says what a variant is compiled for.
type variantKey struct {
	workgroup int
	breaks    bool   // it looks at breakpoints before activations
	stops     string // and at these inside of handlers: packStops
	core      bool   // it is the core variant
	divided   bool   // large handlers are compiled on their own, all of it by another process
	text      uint64 // the program: its id
}

// String names the variant in errors and events.
func (k variantKey) String() string {
	text := fmt.Sprintf("kernel variant with workgroups of %d lanes", k.workgroup)
	if k.holds() {
		text += " and breakpoints"
	}
	return text
}

// of is the variant of a program.
func (k variantKey) of(p *program) variantKey {
	k.text = p.id
	return k
}

// variant is a form that is being compiled, or has been.
type variant struct {
	begun time.Time
	used  uint64
	done  chan struct{}
	end   context.CancelFunc
	form  *form // valid once done is closed; nil: err says why
	err   error
}

func (v *variant) compiled() bool {
	select {
	case <-v.done:
		return true
	default:
		return false
	}
}

// ReadyBreakpoints compiles the kernel variant that looks at breakpoints, so that arming the first one only waits for a
// boundary. It returns when that is done or ctx ends; the compilation then continues. It takes no processor from the kernel
// where the driver compiles on the host's processors.
func (fs *forms) ReadyBreakpoints(ctx context.Context) error {
	f, err := fs.variant(engine.InBackground(ctx), variantKey{workgroup: fs.Workgroup(), breaks: true})
	if err == nil {
		f.release()
	}
	return err
}

// variant waits for a variant of the text that is wanted, whose form is the caller's.
func (fs *forms) variant(ctx context.Context, k variantKey) (*form, error) {
	for {
		p := fs.texts.now.Load()
		f, err := fs.variantOf(ctx, p, k)
		if err == nil || ctx.Err() != nil || fs.texts.now.Load() == p {
			return f, err
		} // the handlers were reloaded in the meantime
	}
}

// variantOf waits for a variant of a text.
func (fs *forms) variantOf(ctx context.Context, p *program, k variantKey) (*form, error) {
	if p == fs.texts.first && k == (variantKey{workgroup: fs.kernel.Config.WorkgroupSize}) {
		if err := fs.full.awaitFull(ctx); err != nil {
			return nil, err
		}
		return fs.full.generic.share(), nil
	}
	k = k.of(p)
	for {
		v := fs.variants.begin(ctx, k, func(ctx context.Context) (*form, error) { return fs.compileForm(ctx, p, k, nil) })
		if v == nil {
			return nil, gone("compile the kernel", fs.Phase(), ErrStopped, nil)
		}
		if err := v.await(ctx, k); err != nil {
			return nil, err
		}
		f, err := fs.variants.take(v)
		if !errors.Is(err, errDropped) || fs.texts.superseded(p) {
			return f, err
		}
	}
}

// has reports whether a variant is compiled, or is being compiled.
func (b *variants) has(k variantKey) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.made[k] != nil
}

// await waits until the variant has been compiled, or cannot be.
func (v *variant) await(ctx context.Context, k variantKey) error {
	if v.compiled() {
		return nil
	}
	select {
	case <-v.done:
		return nil
	case <-ctx.Done():
		return &CompilingError{What: k.String(), After: time.Since(v.begun), Err: ctx.Err()}
	}
}

// errDropped: room was made between the end of a variant's compilation and its use.
const errDropped fault.Kind = "the kernel variant was dropped"

// begin returns a variant, whose compilation it begins unless that was done; nil when the session has ended.
func (b *variants) begin(ctx context.Context, k variantKey, compile func(context.Context) (*form, error)) *variant {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil
	}
	b.uses++
	if v := b.made[k]; v != nil {
		v.used = b.uses
		return v
	}
	if b.ctx == nil {
		b.ctx, b.end = context.WithCancel(context.Background())
		b.made = map[variantKey]*variant{}
	}
	b.makeRoom()
	own, end := context.WithCancel(b.ctx) // and not the caller's, who may give up; but as urgent as that is
	v := &variant{begun: time.Now(), used: b.uses, done: make(chan struct{}), end: end}
	b.made[k] = v
	if engine.Background(ctx) {
		own = engine.InBackground(own)
	}
	go b.compile(own, k, v, compile)
	return v
}

// context is the one of compilations, of which there has been one.
func (b *variants) context() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ctx
}

// makeRoom drops the variant that was not used for longest. Forms that run it keep its pipeline.
func (b *variants) makeRoom() {
	if len(b.made) < maxVariants {
		return
	}
	var oldest variantKey
	least := ^uint64(0)
	for k, v := range b.made {
		if v.compiled() && v.used < least {
			oldest, least = k, v.used
		}
	}
	if v := b.made[oldest]; v != nil {
		delete(b.made, oldest)
		v.form.release()
		v.form, v.err = nil, errDropped
	}
}

func (b *variants) compile(ctx context.Context, k variantKey, v *variant, compile func(context.Context) (*form, error)) {
	f, err := compile(ctx)
	v.end()
	b.mu.Lock()
	defer b.mu.Unlock()
	v.form, v.err = f, err
	switch {
	case b.made[k] != v: // of a text that was replaced
		if f != nil {
			f.release()
		}
		v.form, v.err = nil, errDropped
	case err != nil:
		delete(b.made, k)
	}
	f = v.form
	if f != nil && b.ended {
		f.release()
		v.form, v.err = nil, gone("compile the kernel", 0, ErrStopped, nil)
	}
	close(v.done)
}

// drop gives up and releases the variants of a text, or where but is set those of all others. Forms that run one keep its pipeline.
func (b *variants) drop(match func(variantKey) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, v := range b.made {
		if !match(k) {
			continue
		}
		delete(b.made, k)
		v.end()
		if v.form != nil {
			v.form.release()
			v.form, v.err = nil, errDropped
		}
	}
}

// take gives the caller a form of a variant that has been compiled.
func (b *variants) take(v *variant) (*form, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v.form == nil {
		return nil, v.err
	}
	return v.form.share(), nil
}

// compiling finds the variant that has been compiled for longest and is not done, of those that match; ok is false where
// none is.
func (b *variants) compiling(match func(variantKey) bool) (k variantKey, since time.Time, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, v := range b.made {
		if !v.compiled() && match(key) && (!ok || v.begun.Before(since)) {
			k, since, ok = key, v.begun, true
		}
	}
	return k, since, ok
}

// sizes calls f with the workgroup sizes of the variants that have been compiled.
func (b *variants) sizes(f func(workgroup int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, v := range b.made {
		if v.compiled() {
			f(k.workgroup)
		}
	}
}

// close releases the variants. No slice will run. A compilation under way is given up.
func (b *variants) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.ended = true
	if b.end != nil {
		b.end()
	}
	for _, v := range b.made {
		if v.form != nil {
			v.form.release()
			v.form, v.err = nil, gone("compile the kernel", 0, ErrStopped, nil)
		}
	}
}

// Compiling reports whether a kernel variant is being compiled beside the run. A driver that compiles cannot be
// interrupted: closing the backend waits for it.
func (fs *forms) Compiling() bool {
	_, _, ok := fs.variants.compiling(func(variantKey) bool { return true })
	_, full := fs.full.compiling()
	_, interim := fs.standsIn()
	return ok || full || interim
}

// standIn is a backend that does the work of a device elsewhere until that has compiled the kernel.
type standIn interface {
	// Awaits reports whether the device is compiling for the work to move, and since when.
	Awaits() (since time.Time, ok bool)
}

// standsIn reports whether the device compiles while another does its work, and since when.
func (fs *forms) standsIn() (since time.Time, ok bool) {
	b, is := fs.backend.(standIn)
	if !is {
		return time.Time{}, false
	}
	return b.Awaits()
}

// compilation is the variant of reloaded handlers, with another workgroup size, or for breakpoints that wait for it, that is being compiled; the zero
// value where none is.
func (bs *breakpoints) compilation() megakernel.Compiling {
	now, text := bs.forms.Workgroup(), bs.forms.form.Load().program.id
	if since, ok := bs.forms.standsIn(); ok {
		return megakernel.Compiling{Workgroup: now, Elapsed: time.Since(since), Interim: true}
	}
	if since, ok := bs.forms.full.compiling(); ok && bs.forms.full.onStarter(bs.forms) {
		return megakernel.Compiling{Workgroup: now, Elapsed: time.Since(since)}
	}
	waits := bs.breaks.pending()
	k, since, ok := bs.forms.variants.compiling(func(k variantKey) bool { return k.workgroup != now || k.text > text || waits && k.holds() })
	if !ok {
		return megakernel.Compiling{}
	}
	return megakernel.Compiling{Workgroup: k.workgroup, Elapsed: time.Since(since)}
}
