package resident

import (
	"context"
	"fmt"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/kernel"
)

// maxIOWords bounds the IO buffer: 256 MiB.
const maxIOWords = 1 << 26

// pageIO is the service of a session's pages; without pages there is none.
type pageIO struct {
	*life
	tuning *tuning

	words   engine.Words
	service *ioservice.Service
	cancel  context.CancelFunc
	stopped chan struct{}
}

// checkPages finds pages that a kernel cannot have.
func checkPages(p *ioservice.Pages, k *kernel.Kernel) error {
	if p == nil {
		return nil
	}
	l := p.Layout()
	switch {
	case !k.Config.HasPages():
		return &fault.Error{Kind: ErrOption, Subject: "pages = " + fmt.Sprint(l.Pages), Detail: "the kernel was assembled without them", Fix: "set Pages in its configuration"}
	case p.Frames < 1 || p.Frames > megakernel.MaxFrames:
		return &fault.Error{Kind: ErrOption, Subject: "frames = " + fmt.Sprint(p.Frames), Detail: "too many for a kernel", Fix: fmt.Sprintf("use 1 to %d", megakernel.MaxFrames)}
	case p.Bytes < 4 || p.Bytes%4 != 0:
		return &fault.Error{Kind: ErrOption, Subject: "frame size = " + fmt.Sprint(p.Bytes), Detail: "its size is not a multiple of 4 bytes", Fix: "use a multiple of 4 bytes"}
	case l.IOWords() > maxIOWords || l.Pages > maxIOWords:
		return &fault.Error{Kind: ErrOption, Subject: "pages = " + fmt.Sprint(l.Pages), Detail: fmt.Sprintf("they and the frames take %d words", l.IOWords()), Fix: fmt.Sprintf("use larger pages, or fewer frames: at most %d words", maxIOWords)}
	}
	for i, page := range p.List {
		if page.Bytes < 1 || uint64(page.Bytes) > uint64(p.Bytes) {
			return &fault.Error{Kind: ErrOption, Subject: "page " + fmt.Sprint(i) + " = " + fmt.Sprint(page.Bytes), Detail: fmt.Sprintf("a frame has %d bytes", p.Bytes), Fix: "use pages of at least 1 byte that fit a frame"}
		}
	}
	return nil
}

// checkBudget finds activations that are too short to look for a frame and a slot of the queue.
func checkBudget(p *ioservice.Pages, l limits) error {
	if p == nil {
		return nil
	}
	if need := 2*p.Frames + 3*megakernel.IOSlots + pageRounds; int64(l.activation) < int64(need) {
		return &fault.Error{Kind: ErrOption, Subject: "iterations = " + fmt.Sprint(l.activation), Detail: fmt.Sprintf("an activation that asks for a page may take %d to find one of %d frames for it", need, p.Frames), Fix: "use more iterations, or fewer frames"}
	}
	return nil
}

// pageRounds is what asking for a page takes beyond its searches: the last look at each loop's condition, and
// the loops around them.
const pageRounds = 24

// ioInit is the IO buffer at launch.
func (o *Options) ioInit() BufferInit {
	b := BufferInit{Name: "io", Binding: megakernel.BindIO}
	if o.Pages == nil {
		b.Data = megakernel.EncodeIOQueue()
		return b
	}
	b.Data, b.Words = megakernel.EncodeIOPages(o.Pages.List), o.Pages.Layout().IOWords()
	return b
}

// schedInit is the sched buffer at launch.
func (t *tuning) schedInit(control []uint32) BufferInit {
	words := initialSched(t.kernel.Layout, control, t.quotaFactor(control))
	if t.kernel.Config.HasPages() {
		words = append(words, t.options.Pages.Layout().EncodePager()...)
	}
	return BufferInit{Name: "sched", Binding: megakernel.BindSched, Data: words, Placement: slotPlacement(t.kernel.Config)}
}

// startIO begins to serve the session's pages, if it has any, until stopIO.
func (p *pageIO) startIO() {
	if p.options.Pages == nil {
		return
	}
	p.service = ioservice.New(p.words, p.options.Pages, p.answered, func(err error) { p.events("error", err.Error()) })
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel, p.stopped = cancel, make(chan struct{})
	go func() {
		defer close(p.stopped)
		p.service.Run(ctx)
	}()
}

// stopIO waits for reads that have begun.
func (p *pageIO) stopIO() {
	if p.service != nil {
		p.cancel()
		<-p.stopped
	}
}

// answered begins the epoch that the tasks wait for whose pages have come.
func (p *pageIO) answered() {
	p.inbox.Add(megakernel.InboxEpochs, 1)
	p.wakeUp()
	p.changed.fire()
}

// awaitsIO reports whether tasks may continue because of the IO service, without anybody else's help. The
// session is parked.
func (p *pageIO) awaitsIO() bool {
	if p.service == nil {
		return false
	}
	return p.service.Busy() || p.inbox.Load(megakernel.InboxEpochs) != p.epochsSeen() && !p.tuning.allPaused()
}

// PageStats counts what the IO service has answered so far.
func (s *Session) PageStats() ioservice.Stats {
	if s.io.service == nil {
		return ioservice.Stats{}
	}
	return s.io.service.Stats()
}
