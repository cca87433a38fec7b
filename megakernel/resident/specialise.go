package resident

import (
	"context"
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/megakernel/kernel"
)

// form is the kernel in one of its forms: for all opcodes, or specialised for some.
type form struct {
	kernel   *kernel.Kernel
	pipeline engine.Pipeline
	limits   limits
}

// Specialise has the next slices run a kernel whose laps are compiled for the opcodes given; the others are
// run when serving, with the same results. No opcode gives the kernel for all of them back. It returns when
// a slice has begun with the new form.
//
// Compiling takes the backend's thread for as long as a kernel takes to compile: slices pause meanwhile,
// tasks do not get lost. Errors: *kernel.ConfigError for opcodes that cannot be hot, *StateError when the
// session has ended, the backend's, or that of ctx; then the old form goes on.
func (s *Session) Specialise(ctx context.Context, hot ...uint32) error {
	s.formMu.Lock()
	defer s.formMu.Unlock()
	if err := s.usable("specialise"); err != nil {
		return err
	}
	now := s.form.Load()
	if slices.Equal(now.kernel.Config.Hot, hot) {
		return nil
	}
	next := s.generic
	if len(hot) > 0 {
		var err error
		if next, err = s.specialForm(ctx, hot); err != nil {
			return err
		}
	}
	s.nextForm.Store(next)
	s.endSlice()
	s.wakeUp()
	err := s.await(ctx, "specialise", func() bool { return s.form.Load() == next })
	if s.form.Load() != next && s.nextForm.CompareAndSwap(next, nil) { // nobody will use it any more
		s.closeForm(next)
		return err
	}
	s.closeForm(now)
	s.events("specialise", formText(hot))
	return err
}

// Hot lists the opcodes for which the running kernel is specialised, none when it is for all.
func (s *Session) Hot() []uint32 { return slices.Clone(s.form.Load().kernel.Config.Hot) }

func formText(hot []uint32) string {
	if len(hot) == 0 {
		return "laps run all opcodes"
	}
	return fmt.Sprintf("laps run opcodes %v, serving runs the others", hot)
}

func (s *Session) specialForm(ctx context.Context, hot []uint32) (*form, error) {
	c := s.kernel.Config
	c.Hot = slices.Clone(hot)
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(k.Program.Formats, s.kernel.Program.Formats) {
		panic("BUG: a specialised kernel numbers its log formats in another way")
	}
	o := s.options
	o.Activation = s.limits.activation // what is a fault in one form is one in the other
	f := &form{kernel: k}
	if f.limits, err = sliceLimits(&o, k, s.profile); err != nil {
		return nil, err
	}
	f.pipeline, err = s.backend.Compile(ctx, k.Program)
	return f, err
}

// closeForm frees a form that no slice will run. The kernel for all opcodes stays.
func (s *Session) closeForm(f *form) {
	if f != s.generic {
		_ = f.pipeline.Close()
	}
}

// takeForm changes the form between two slices, if another one is asked for.
func (s *Session) takeForm() *form {
	if next := s.nextForm.Swap(nil); next != nil {
		s.form.Store(next)
	}
	return s.form.Load()
}
