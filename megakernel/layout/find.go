package layout

import (
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine/fault"
)

// ErrPath is matched by errors about paths that lead nowhere.
const ErrPath fault.Kind = "no such member"

// Find is where a path such as "render_rays[3].from.x" leads in a buffer of that many words: its first word and its
// type. A vector can be followed by a component, as .x or [0]. Errors are ErrPath.
func (t *Type) Find(path string, words int) (first int, at *Type, err error) {
	f := finder{path: path, rest: path, t: t, words: words}
	for f.rest != "" {
		if err := f.step(); err != nil {
			return 0, nil, err
		}
	}
	if f.at >= words {
		return 0, nil, f.fail("the buffer ends before it", "name a member that the buffer has room for")
	}
	return f.at, f.t, nil
}

// finder follows a path.
type finder struct {
	path, rest string
	t          *Type
	at, words  int
}

func (f *finder) fail(detail, fix string, args ...any) error {
	return &fault.Error{Kind: ErrPath, Subject: strconv.Quote(f.path), Detail: detail, Fix: fmt.Sprintf(fix, args...)}
}

func (f *finder) step() error {
	if index, ok := strings.CutPrefix(f.rest, "["); ok {
		digits, rest, closed := strings.Cut(index, "]")
		n, err := strconv.ParseUint(digits, 0, 31)
		if !closed || err != nil {
			return f.fail(strconv.Quote(digits)+" is not an index", "write a number in brackets, as in values[3]")
		}
		f.rest = rest
		return f.index(int(n))
	}
	name := strings.TrimPrefix(f.rest, ".")
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	f.rest = name[end:]
	return f.member(name[:end])
}

func (f *finder) index(n int) error {
	t := f.t
	switch {
	case t.Elem != nil:
		count := t.Len
		if count == 0 {
			count = (max(f.words-f.at, 0) + t.Stride - 1) / t.Stride // the last one may be cut
		}
		if n >= count {
			return f.fail(fmt.Sprintf("element %d does not exist", n), "%s", indexFix(count))
		}
		f.at, f.t = f.at+n*t.Stride, t.Elem
	case t.Width > 1:
		if n >= t.Width {
			return f.fail(fmt.Sprintf("a %s has no component %d", t.Name, n), "use 0 to %d", t.Width-1)
		}
		f.component(n)
	default:
		return f.fail("a "+t.Name+" has no elements", "leave out [%d]", n)
	}
	return nil
}

func indexFix(count int) string {
	if count == 0 {
		return "choose another buffer, this one has no elements"
	}
	return fmt.Sprintf("use 0 to %d", count-1)
}

func (f *finder) component(n int) {
	f.at, f.t = f.at+n, &Type{Name: string(f.t.Kind), Words: 1, Kind: f.t.Kind, Width: 1}
}

// componentNames are the three ways to name the components of a vector.
var componentNames = []string{components, "rgba", "stpq"}

func (f *finder) member(name string) error {
	for i := range f.t.Members {
		if m := &f.t.Members[i]; m.Name == name {
			f.at, f.t = f.at+m.Offset, m.Type
			return nil
		}
	}
	if f.t.Width > 1 && len(name) == 1 {
		for _, names := range componentNames {
			if i := strings.Index(names, name); i >= 0 && i < f.t.Width {
				f.component(i)
				return nil
			}
		}
	}
	return f.fail("there is no "+strconv.Quote(name)+" in a "+f.t.Name, "%s", f.t.memberFix())
}

// memberFix says what can follow in a path.
func (t *Type) memberFix() string {
	switch {
	case len(t.Members) > 0:
		names := make([]string, len(t.Members))
		for i, m := range t.Members {
			names[i] = m.Name
		}
		return "use " + strings.Join(names, ", ")
	case t.Elem != nil:
		return "write an index first, as in [0]"
	case t.Width > 1:
		return "use one of " + strings.Join(strings.Split(components[:t.Width], ""), ", ")
	}
	return "end the path before it"
}
