package replay

import (
	"context"
	"fmt"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel/resident"
)

// maxRecordedPages bounds what is kept of pages of files, in bytes.
const maxRecordedPages = 64 << 20

// recordedPages are what the host read of files when the run was recorded. It is an ioservice.Source.
type recordedPages struct {
	read map[fixtures.PageOf]fixtures.PageRead
}

// errNotRead is why a page is not there.
const errNotRead fault.Kind = "the recorded run did not read it, or could not"

// ReadPage implements ioservice.Source.
func (r *recordedPages) ReadPage(file uint32, p []byte, offset int64) (int, error) {
	page, ok := r.read[fixtures.PageOf{File: file, Offset: uint64(offset)}]
	if !ok || page.Failed {
		return 0, errNotRead
	}
	return copy(p, page.Bytes), nil
}

// Name implements ioservice.Source. Names of files are not recorded.
func (r *recordedPages) Name(file uint32) string {
	return fmt.Sprintf("file %d of the recorded run", file)
}

// writable refuses words of a buffer that the host cannot have written.
func writable(p *plan, w *fixtures.Write) error {
	for i := range p.header.Start.Buffers {
		if b := &p.header.Start.Buffers[i]; b.Name == w.Buffer && b.HostVisible && w.First >= 0 && w.First+len(w.Words) <= b.Words {
			return nil
		}
	}
	return p.cannot(fmt.Sprintf("words %d to %d of buffer %q were written, which the host does not see", w.First, w.First+len(w.Words), w.Buffer), again)
}

// write writes words of a buffer once nothing can continue without them: what they replace has been read then.
func write(ctx context.Context, s *resident.Session, w *fixtures.Write) error {
	if err := s.AwaitRest(ctx); err != nil {
		return err
	}
	s.Buffer(w.Buffer).CopyFrom(w.First, w.Words)
	return nil
}
