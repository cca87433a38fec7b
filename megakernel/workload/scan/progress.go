package scan

import "sync"

// progress counts the bytes that are searched, piece by piece.
type progress struct {
	mu      sync.Mutex
	total   int64
	through int64
	most    int64 // that was ever told
}

// expect says how many bytes there are to search.
func (p *progress) expect(total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = total
}

// add counts bytes. It takes back those of files that a lost host has begun.
func (p *progress) add(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.through += bytes
}

// told is the number of bytes, which never falls, out of how many.
func (p *progress) told() (done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = max(p.most, min(p.through, p.total))
	return p.most, p.total
}
