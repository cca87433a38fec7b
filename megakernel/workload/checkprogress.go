package workload

import (
	"unicode"
	"unicode/utf8"

	"vyretop/megakernel"
)

// maxUnit is the longest name of a unit in bytes.
const maxUnit = 16

// progress checks where the handlers count their work. The buffer becomes host visible.
func (c *checker) progress(at place, raw *rawProgress) {
	if c.m.Driver != "" {
		c.fail(at, ErrValue, "remove [progress]", "driver %q has progress of its own", c.m.Driver)
		return
	}
	p := &ProgressSpec{Buffer: raw.Buffer, Unit: raw.Unit, Word: c.number(at.at("word"), raw.Word, 0, 0, MaxBufferWords-1)}
	found := false
	for i := range c.m.Buffers {
		if b := &c.m.Buffers[i]; b.Name == p.Buffer {
			found, b.HostVisible = true, true
		}
	}
	if !found {
		c.fail(at.at("buffer"), ErrValue, "name one of the [[buffer]] items", "unknown buffer %q", p.Buffer)
	}
	if !isUnit(p.Unit) {
		c.fail(at.at("unit"), ErrValue, `write unit = "edges", say`, "%q is not a unit of 1 to %d letters", p.Unit, maxUnit)
	}
	if total, given := c.expr(at.at("total"), raw.Total); given {
		p.Total = &total
	}
	c.m.Progress = p
}

// isUnit reports whether s can be printed as a unit, and not mistaken for tasks that have ended.
func isUnit(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsLetter(r) {
			return false
		}
	}
	return s != "" && len(s) <= maxUnit && s != megakernel.UnitTasks
}

// progressTotal is the amount of work that [progress] declares, 0 if it does not.
func (m *Manifest) progressTotal(flags map[string]uint32, buffers []Buffer) (int64, error) {
	for _, b := range buffers {
		if b.Name == m.Progress.Buffer && int64(m.Progress.Word) >= int64(b.Words) {
			return 0, Invalid(ErrSize, Where(m.file, m.lines.find("progress.word"), "the progress"), "the buffer ends before its word", nil, "give a word of the buffer, from 0")
		}
	}
	if m.Progress.Total == nil {
		return 0, nil
	}
	total, err := m.Progress.Total.Eval(Env{Flags: flags})
	if err != nil {
		return 0, Invalid(ErrValue, Where(m.file, m.lines.find("progress.total"), ""), "total has no value", err, "change the expression or the flags in it")
	}
	return int64(total), nil
}
