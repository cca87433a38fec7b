package resident

import (
	"slices"
	"sync"
	"sync/atomic"

	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// program is one text of the kernel, with all variants of which it is. Nothing of it changes.
type program struct {
	kernel *kernel.Kernel // for all opcodes, with the workgroup size of the launch
	id     uint64         // unlike those of all others, also of those that never came into force; 0: of the launch
	packed []byte         // what it was assembled from; nil: of the launch
	digest string         // of packed
}

// number is the place of the program among the texts of the target: 0 is that of the launch.
func (p *program) number() int { return p.kernel.Config.Earlier.Text }

// texts are the programs of a session. now is written under forms.formMu, done by the slicer.
type texts struct {
	first *program
	now   atomic.Pointer[program]             // what is compiled from here on; slices may still run the one before
	done  atomic.Pointer[[]megakernel.Reload] // those that slices run or have run
	ids   atomic.Uint64

	packing sync.Once
	packed  []byte // of first, for Target
}

func newTexts(k *kernel.Kernel) *texts {
	t := &texts{first: &program{kernel: k}}
	t.now.Store(t.first)
	return t
}

// text is the kernel whose tables decode what the target has in memory: those of the texts before are in them.
func (l *launch) text() *kernel.Kernel { return l.texts.now.Load().kernel }

func (t *texts) reloads() []megakernel.Reload {
	if list := t.done.Load(); list != nil {
		return *list
	}
	return nil
}

// superseded reports whether a program is older than the one that is wanted: no variant of it is compiled any longer.
func (t *texts) superseded(p *program) bool { return t.now.Load().id > p.id }

// takeText notes a text that slices run from the next one on. No slice is running.
func (c *slicer) takeText(f, before *form) {
	p := f.program
	c.forms.full.giveUp()
	c.forms.variants.drop(func(k variantKey) bool { return k.text < p.id })
	clearChecks(c.outbox, c.kernel)
	c.markKept(uint32(before.program.number()))
	earlier := c.texts.reloads()
	r := megakernel.Reload{
		Slice: c.slice.Load() + 1, Text: p.number(), Digest: p.digest, Formats: megakernel.WithFiles(p.kernel.Program.Formats, p.kernel.Program.Files), Opcodes: opcodesOf(p.kernel),
		Kernel: p.packed, Taken: c.publisher.taken(),
	}
	c.view.fetchSlots()
	r.Waiting, r.Begun = c.waiting()
	t := megakernel.Target{Reloads: append(slices.Clip(earlier), r)}
	t.TrimReloads()
	c.texts.done.Store(&t.Reloads)
	if c.options.Reloaded != nil {
		c.options.Reloaded(r)
	}
}

// markKept notes the text of the activations whose beginning is kept. No slice is running.
func (c *slicer) markKept(text uint32) {
	for i := range c.kernel.Kept() {
		kept := c.outbox[c.kernel.KeptAt()+i*megakernel.KeptWords:]
		if kept.Load(megakernel.KeptBreak) != 0 && kept.Load(megakernel.KeptText) == 0 {
			kept.Store(megakernel.KeptText, text+1)
		}
	}
}

// taken is how many published tasks the device has taken. No slice is running.
func (p *publisher) taken() uint64 {
	n := p.queue.count()
	return n - uint64(uint32(n)-p.outbox.Load(megakernel.OutTasksTaken))
}

// waiting lists the published tasks in slots that no activation has had, and counts the others that have not ended. No slice is running.
func (c *slicer) waiting() (ids []uint32, begun int) {
	for i := range c.kernel.Config.Slots {
		slot := c.view.slotWords(i)
		switch state := tasks.State(slot.Load(tasks.WordState)); {
		case state == tasks.Empty || state.Terminal():
		case untouched(slot):
			ids = append(ids, slot.Load(tasks.WordTaskID))
		default:
			begun++
		}
	}
	return ids, begun
}
