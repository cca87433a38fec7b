package livedebug

import (
	"sync"

	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
)

// texts is the text that the run's handlers have now: it changes where they are reloaded.
type texts struct {
	target interface{ Target() megakernel.Target }

	mu     sync.Mutex
	number int
	known  *kernel.Text
	built  *kernel.Kernel // without breakpoints
}

// now assembles the text that the run has now, unless that was done; the error is kernel.ErrText where it cannot be had, and the one before stays.
func (t *texts) now() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	target, number := t.target.Target(), 0
	if n := len(target.Reloads); n > 0 {
		number = target.Reloads[n-1].Text
	}
	if t.built != nil && t.number == number {
		return nil
	}
	text, err := kernel.Unpack(target.KernelOf(number))
	if err == nil {
		text, err = text.WithOwn()
	}
	if err != nil {
		return err
	}
	config, err := text.Assembly()
	if err != nil {
		return err
	}
	config.Holds = kernel.Holds{}
	k, err := kernel.Assemble(config)
	if err == nil {
		t.number, t.known, t.built = number, text, k
	}
	return err
}

func (t *texts) text() *kernel.Text {
	_ = t.now() // Open had one
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known
}

func (t *texts) kernel() *kernel.Kernel {
	_ = t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.built
}
