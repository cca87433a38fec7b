//go:build cgo && egl

package gl

import (
	"slices"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/programcache"
)

// maxIdlePrograms bounds the programs kept without a pipeline that uses them.
const maxIdlePrograms = 16

// programs are the linked programs of one context, for the owner's thread: equal texts share one, and
// the disk keeps them for later processes. The counters may be read from anywhere.
type programs struct {
	disk   *programcache.Cache // nil: none
	dir    string              // of disk
	device []string            // what of the context decides how a text is compiled
	linked []*linkedProgram    // those used longest ago first
	failed bool                // a failure to store has been reported
	kept   bool                // the driver gives programs out, and so has a cache of its own (doc.go)

	underWay []*compilation
	looked   time.Time // at them

	memoryHits, misses atomic.Uint64
}

// linkedProgram is a program object and how many hold it. One that is no longer in the table was
// lost with its context.
type linkedProgram struct {
	key    programcache.Key
	handle uint32
	calls  glapi.Subroutines // the subroutine that each of its subroutine uniforms is set to
	users  int
}

// connect decides where programs are kept; dir "" is nowhere.
func (t *programs) connect(a *glapi.API, dir string) {
	id := a.Identification()
	t.device = []string{backendName, id.Vendor, id.Renderer, id.Version}
	t.kept = len(a.BinaryFormats()) > 0
	if dir != "" && t.kept {
		t.dir, t.disk = dir, programcache.New(dir, programcache.DefaultLimit)
	}
}

// acquire returns the program of a text if there is one, linked by this context or an earlier process, or
// if the driver makes one at once; else what is to be waited for.
func (t *programs) acquire(s *glState, op string, p *engine.Program) (l *linkedProgram, c *compilation, err error) {
	key := t.keyOf(p)
	if l = t.take(key); l != nil {
		return l, nil, nil
	}
	if at := slices.IndexFunc(t.underWay, func(c *compilation) bool { return c.key == key }); at >= 0 {
		t.memoryHits.Add(1)
		t.underWay[at].waiters++
		return nil, t.underWay[at], nil
	}
	if h, ok := t.load(s, key, p); ok {
		l = &linkedProgram{key, h, glapi.SubroutinesOf(&s.api, h), 1}
		t.linked = append(t.linked, l)
		return l, nil, nil
	}
	c = t.begin(s, key, p)
	if !s.compiler.Finished(c.job) {
		return nil, c, nil
	}
	t.end(s, c)
	l, err = c.result(op, p)
	return l, nil, err
}

func (t *programs) keyOf(p *engine.Program) programcache.Key {
	return programcache.NewKey(append([]string{p.Text}, t.device...)...)
}

// keeps reports whether linked programs are kept on disk.
func (t *programs) keeps() bool { return t.disk != nil }

// stores reports whether a program is on disk.
func (t *programs) stores(p *engine.Program) bool { return t.disk != nil && t.disk.Has(t.keyOf(p)) }

// take returns a program of this context, which is the one used last then; nil if it has none.
func (t *programs) take(key programcache.Key) *linkedProgram {
	at := slices.IndexFunc(t.linked, func(l *linkedProgram) bool { return l.key == key })
	if at < 0 {
		return nil
	}
	t.memoryHits.Add(1)
	l := t.linked[at]
	l.users++
	t.linked = append(slices.Delete(t.linked, at, at+1), l)
	return l
}

// compilerNote keeps what the driver said of a text that it took.
func (s *glState) compilerNote(log string, p *engine.Program) {
	if log != "" {
		s.messages.add(Message{Source: "shader compiler", Severity: "note", Text: remapLog(log, p.LinePos)})
	}
}

// load takes a program from disk. One that the driver refuses is removed: its version string did not
// tell that it has changed.
func (t *programs) load(s *glState, key programcache.Key, p *engine.Program) (handle uint32, ok bool) {
	if t.disk == nil {
		return 0, false
	}
	kept, ok := t.disk.Load(key)
	if !ok {
		return 0, false
	}
	h, ok := s.api.LoadProgram(kept.Format, kept.Data)
	if err := s.api.Err("glProgramBinary"); err != nil && ok {
		s.api.DeleteProgram(h)
		ok = false
	}
	if !ok {
		t.disk.Refuse(key)
		return 0, false
	}
	s.compilerNote(kept.Log, p)
	return h, true
}

// store keeps a program for later processes. A failure costs them time and nothing else.
func (t *programs) store(s *glState, key programcache.Key, h uint32, log string) {
	if t.disk == nil {
		return
	}
	format, data := s.api.ProgramBinary(h)
	err := s.api.Err("glGetProgramBinary")
	if err == nil && len(data) > 0 {
		err = t.disk.Store(key, programcache.Program{Format: format, Data: data, Log: log})
	}
	if err != nil && !t.failed {
		t.failed = true
		s.messages.add(Message{Source: "program cache", Severity: "low", Text: "programs are not kept: " + err.Error()})
	}
}

// release gives a program back that Backend.program returned.
func (t *programs) release(a *glapi.API, l *linkedProgram) {
	l.users--
	t.trim(a)
}

// trim deletes the least recently used programs.
func (t *programs) trim(a *glapi.API) {
	idle := 0
	for _, l := range t.linked {
		if l.users == 0 {
			idle++
		}
	}
	t.linked = slices.DeleteFunc(t.linked, func(l *linkedProgram) bool {
		if l.users > 0 || idle <= maxIdlePrograms {
			return false
		}
		idle--
		a.DeleteProgram(l.handle)
		return true
	})
}

// ProgramCache implements engine.CacheReporter.
func (b *Backend) ProgramCache() engine.ProgramCache {
	t := &b.gl.programs
	n := engine.ProgramCache{MemoryHits: t.memoryHits.Load(), Misses: t.misses.Load()}
	if t.disk != nil {
		d := t.disk.Counters()
		n.DiskHits, n.Stored, n.Dropped, n.Evicted = d.Hits, d.Stored, d.Dropped, d.Evicted
	}
	return n
}
