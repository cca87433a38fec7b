package megakernel

// Page is a piece of a file that tasks can ask for. Pages are numbered from 0 on, over all files of a run.
type Page struct {
	Source uint32 // number of the file
	Offset uint64 // in bytes
	Bytes  uint32 // at least 1
}

// Pages are read into frames when a task needs them (LOAD_MISS, or a handler that asks for one). Where a
// kernel has pages, the IO buffer continues behind its queue:
//
//	IOPages     PageWords words a page: source, offset low, offset high, bytes; written by the host at launch
//	then        the frames, each of the same number of words; written by the host before it answers a request
//
// and so does the sched buffer behind its sets, from the first word of a line on:
//
//	0..7        pages, frames, words of a frame, first word of the frames in the IO buffer; where the search for a
//	            frame continues; non-zero when somebody found no frame or no slot of the queue and waits for an epoch;
//	            frames that have a page
//	32..159     for each frame 1 + the page it belongs to, 0 for none, or all ones while that changes
//	160..       PageRecordWords words a page: its state, its frame (the fault code of one that failed), its slot of
//	            the IO queue
//
// A request has the page's source, offset and bytes, as destination the frame, and as tag the page. When
// the answer is ERROR its word for bytes holds a FaultCode. After answers the host begins an epoch, which
// is what tasks wait for.
const (
	IOPages   = IOSlots * IOWords
	PageWords = 4
	MaxFrames = 4 * LineWords

	PageSource   = 0
	PageOffsetLo = 1
	PageOffsetHi = 2
	PageBytes    = 3

	PagerPages      = 0
	PagerFrames     = 1
	PagerFrameWords = 2
	PagerFrame0     = 3
	PagerHand       = 4
	PagerStarved    = 5
	PagerTaken      = 6
	PagerOwners     = LineWords
	PagerRecords    = PagerOwners + MaxFrames

	PageRecordWords = 4
	PageState       = 0
	PageFrame       = 1
	PageSlot        = 2
)

// States of a page, in the low three bits of its word. A resident page cannot give up its frame while tasks
// hold it, or while it is fresh: the task that asked for it has not held it yet.
const (
	PageAbsent   = 0
	PageBusy     = 1 // a lane is about to change it
	PageLoading  = 2
	PageResident = 3
	PageFailed   = 4
	PageFresh    = 1 << 3
	PageHold     = 1 << 4 // times the tasks that hold it
)

// PageLayout gives the places that depend on the number of pages and on the frames.
type PageLayout struct{ Pages, Frames, FrameWords int }

// IOWords is the size of the IO buffer.
func (l PageLayout) IOWords() int { return l.FrameAt(l.Frames) }

// PagerWords is the size of the pager's part of the sched buffer.
func (l PageLayout) PagerWords() int { return PagerRecords + l.Pages*PageRecordWords }

// FrameAt is the first word of a frame in the IO buffer.
func (l PageLayout) FrameAt(frame int) int {
	return IOPages + l.Pages*PageWords + frame*l.FrameWords
}

// EncodePager makes the pager's part of the sched buffer: no page is there.
func (l PageLayout) EncodePager() []uint32 {
	w := make([]uint32, l.PagerWords())
	w[PagerPages], w[PagerFrames], w[PagerFrameWords] = uint32(l.Pages), uint32(l.Frames), uint32(l.FrameWords)
	w[PagerFrame0] = uint32(l.FrameAt(0))
	return w
}

// EncodeIOPages makes what the IO buffer holds in front of its frames: an empty queue and the pages.
func EncodeIOPages(pages []Page) []uint32 {
	w := EncodeIOQueue()
	for _, p := range pages {
		w = append(w, p.Source, uint32(p.Offset), uint32(p.Offset>>32), p.Bytes)
	}
	return w
}
