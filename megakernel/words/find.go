package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/layout"
	"vyretop/tasks"
)

// ErrPlace is matched by errors about places that no word has.
const ErrPlace fault.Kind = "no such word"

// Place is a word, or several in a row that belong together.
type Place struct {
	Buffer string
	Index  int         // of the first word
	Words  int         // how many; 1 for a word
	Kind   layout.Kind // of a single word; None where that is not declared
}

// String writes the place as commands take it: "control[128]".
func (p Place) String() string { return fmt.Sprintf("%s[%d]", p.Buffer, p.Index) }

// Find reads what names a word, wherever it was printed: a number, as in "control[128]" and "rays 12", or a name, as in
// "control.epoch", "ring.slot[2].param", "workers.worker[0].steps_left" and "rays.render_rays[3].from.x". size is the
// number of words of a buffer of snapshots. Errors are ErrPlace.
func (n *Names) Find(text string, size func(buffer string) int) (Place, error) {
	buffer, rest := text, ""
	if end := strings.IndexAny(text, ".[ "); end >= 0 {
		buffer, rest = text[:end], text[end:]
	}
	own := n.Own(buffer)
	words := 0
	if list := n.withMember(buffer); own == nil && len(list) == 1 && !slices.Contains(Buffers, buffer) {
		return findOwn(text, list[0], text)
	}
	switch {
	case own != nil:
		words = own.Words
	case buffer == Control || buffer == Ring || buffer == Workers:
		words = size(buffer)
	default:
		return Place{}, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: unknownBuffer(text, buffer), Fix: fault.Suggest(buffer, n.Buffers(), "use "+strings.Join(n.Buffers(), ", "))}
	}
	if i, ok, err := number(text, rest, words); ok || err != nil {
		p := Place{Buffer: buffer, Index: i, Words: 1}
		if err == nil && own != nil {
			_, p.Kind = OwnName(own, i)
		}
		return p, err
	}
	path := strings.TrimPrefix(rest, ".")
	if own == nil {
		return findWord(text, buffer, path, words)
	}
	return findOwn(text, own, path)
}

// withMember are the buffers of the workload that have a member of a name at their top, by which the words are shown.
func (n *Names) withMember(name string) (list []*megakernel.BufferInfo) {
	for i := range n.others {
		b := &n.others[i]
		if b.Layout != nil && slices.ContainsFunc(b.Layout.Members, func(m layout.Member) bool { return m.Name == name }) {
			list = append(list, b)
		}
	}
	return list
}

// unknownBuffer says that text begins with no buffer, which it names where text is more than that.
func unknownBuffer(text, buffer string) string {
	if text == buffer {
		return "unknown buffer"
	}
	return fmt.Sprintf("unknown buffer %q", buffer)
}

// number reads "", " 12" and "[12]"; ok is false for a name.
func number(text, rest string, words int) (i int, ok bool, err error) {
	digits := rest
	switch {
	case rest == "":
		return 0, true, nil
	case rest[0] == ' ':
		digits = strings.TrimSpace(rest)
	case rest[0] == '[' && strings.IndexByte(rest, ']') == len(rest)-1:
		digits = rest[1 : len(rest)-1]
	default:
		return 0, false, nil
	}
	v, err := strconv.ParseUint(digits, 0, 31)
	if err != nil {
		return 0, false, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: fmt.Sprintf("%q is not the number of a word", digits), Fix: "write a number, as in control[128], or a name, as in control.epoch"}
	}
	if int(v) >= words && v > 0 {
		return 0, false, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: fmt.Sprintf("the buffer has %d words", words), Fix: fmt.Sprintf("use a number below %d", words)}
	}
	return int(v), true, nil
}

// findOwn finds a member of a workload's buffer.
func findOwn(text string, b *megakernel.BufferInfo, path string) (Place, error) {
	if b.Layout == nil {
		return Place{}, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: "the members of buffer " + b.Name + " are not known", Fix: fmt.Sprintf("use the number of a word, as in %s[0]", b.Name)}
	}
	if members := b.Layout.Members; strings.HasPrefix(path, "[") && len(members) > 0 {
		return Place{}, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: "a number behind the name of a buffer is that of a word", Fix: fmt.Sprintf("write %s.%s%s", b.Name, members[len(members)-1].Name, path)}
	}
	first, t, err := b.Layout.Find(path, b.Words)
	if err != nil {
		return Place{}, &fault.Error{Kind: ErrPlace, Cause: err}
	}
	words := b.Words - first
	if t.Words > 0 {
		words = min(words, t.Words)
	}
	p := Place{Buffer: b.Name, Index: first, Words: words}
	if t.Width == 1 {
		p.Kind = t.Kind
	}
	return p, nil
}

// findWord finds a word of a snapshot by its name.
func findWord(text, buffer, path string, words int) (Place, error) {
	record, name := 0, path
	width, head, names := words, "", func(i int) string { return Name(Control, i) }
	switch buffer {
	case Ring:
		width, head, names = tasks.SlotWords, "slot", func(i int) string { return tasks.WordNames[i] }
	case Workers:
		width, head, names = megakernel.WorkerWords, "worker", WorkerName
	}
	if head != "" {
		digits, after, ok := strings.Cut(strings.TrimPrefix(path, head+"["), "].")
		v, err := strconv.ParseUint(digits, 0, 31)
		if !strings.HasPrefix(path, head+"[") || !ok || err != nil || int(v) >= words/width {
			return Place{}, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: "no such word of the " + buffer + " buffer", Fix: fmt.Sprintf("write %s.%s[N].%s with N below %d", buffer, head, names(0), words/width)}
		}
		record, name = int(v), after
	}
	for i := range width {
		if n := names(i); n == name || strings.Replace(n, "[op ", "[", 1) == name {
			return Place{Buffer: buffer, Index: record*width + i, Words: 1, Kind: layout.Uint}, nil
		}
	}
	return Place{}, &fault.Error{Kind: ErrPlace, Subject: strconv.Quote(text), Detail: fmt.Sprintf("unknown word %q in the %s buffer", name, buffer), Fix: "use a name that vyretop words --buffer " + buffer + " prints"}
}
