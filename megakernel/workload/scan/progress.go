package scan

import (
	"sync"

	"vyretop/engine"
)

// progress counts the bytes that are searched: of files and parts that are through, and of those in
// flight as far as the device says it is. The host alone could count whole files only, and as all files in
// flight take turns, nothing would seem to happen for long and then everything at once.
type progress struct {
	mu      sync.Mutex
	total   int64
	through int64          // bytes of finished files, and of finished parts of others
	most    int64          // that was ever told
	parts   []engine.Words // of each host that searches
	stride  int64          // bytes of a symbol
}

// expect says how many bytes there are to search.
func (p *progress) expect(total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = total
}

// begin lets p read how far the device is, until the function returned is called.
func (p *progress) begin(parts engine.Words, stride int) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := len(p.parts)
	p.parts, p.stride = append(p.parts, parts), int64(stride)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.parts[at] = nil
	}
}

// add counts bytes that the host knows to be through.
func (p *progress) add(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.through += bytes
}

// replace counts bytes in place of what the device says of the entry whose words begin there.
func (p *progress) replace(parts engine.Words, at int, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts.Store(at+partAt, 0)
	p.through += bytes
}

// told is the number of bytes, which never falls, out of how many.
func (p *progress) told() (done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := p.through
	for _, parts := range p.parts {
		for at := 0; at < len(parts); at += partWords {
			sum += int64(min(parts.Load(at+partAt), parts.Load(at+partSize))) * p.stride
		}
	}
	p.most = max(p.most, min(sum, p.total))
	return p.most, p.total
}
