package repl

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"vyretop/engine/debugger"
)

// lanes prints which lanes are active and a table of values by lane.
func lanes(r *REPL, arg string) error {
	first, rest, _ := strings.Cut(arg, " ")
	from, to, ranged, err := laneRange(first)
	if err != nil {
		return err
	}
	if ranged {
		arg = strings.TrimSpace(rest)
	}
	var exprs []string
	if arg != "" {
		exprs = split(arg)
	}
	t, err := r.Session.Lanes(exprs)
	if err != nil {
		return pointed(arg, err)
	}
	if n := len(t.Active); ranged && from >= n {
		return usage(fmt.Sprintf("lane %d does not exist", from), fmt.Sprintf("begin below %d, the size of the workgroup", n))
	}
	active := ranges(t.Active)
	text := fmt.Sprintf("active: %s (%d of %d)", active, count(t.Active), len(t.Active))
	if len(t.Lanes) < len(t.Active) {
		text += "; the other lanes run other tasks"
	}
	r.print("lanes", text, map[string]any{"active": active, "lanes": len(t.Active), "of": t.Lanes})
	var varying []debugger.Column
	for _, c := range t.Columns {
		if !c.Uniform() {
			varying = append(varying, c)
			continue
		}
		r.print("column", fmt.Sprintf("uniform: %s = %s", c.Expr, c.Values[0]), map[string]any{"expr": c.Expr, "uniform": true, "values": c.Values[:1]})
	}
	if len(varying) == 0 {
		return nil
	}
	if r.JSON {
		for _, c := range varying {
			r.print("column", "varying: "+c.Expr, map[string]any{"expr": c.Expr, "uniform": false, "values": c.Values})
		}
		return nil
	}
	if !ranged {
		return lanePage(r, t, varying, 0)
	}
	laneRows(r, t, varying, sort.SearchInts(t.Lanes, from), sort.SearchInts(t.Lanes, to))
	return nil
}

// laneRange reads which lanes are listed: FROM:TO, FROM:, :TO or all. It reports false for another text.
func laneRange(text string) (from, to int, ok bool, err error) {
	if text == "all" {
		return 0, maxIndex, true, nil
	}
	low, high, ok := strings.Cut(text, ":")
	if !ok || strings.ContainsAny(text, "?([") {
		return 0, 0, false, nil
	}
	if from, err = bound(low, 0); err == nil {
		to, err = bound(high, maxIndex)
	}
	if err != nil || to <= from {
		return 0, 0, false, usage("invalid range of lanes "+quote(text), "write FROM:TO with FROM below TO, such as 16:48, or all")
	}
	return from, to, true, nil
}

// bound is a number, or otherwise for an empty text.
func bound(text string, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	return number("lanes", text)
}

// lanePage prints a page of the rows of the table of lanes, and how many are left.
func lanePage(r *REPL, t debugger.Lanes, columns []debugger.Column, from int) error {
	end := min(from+page, len(t.Lanes))
	laneRows(r, t, columns, from, end)
	if left := len(t.Lanes) - end; left > 0 {
		r.print("more", fmt.Sprintf("... %d more of %d; lanes all lists them", left, len(t.Lanes)), nil)
		r.more = func() error { return lanePage(r, t, columns, end) }
	}
	return nil
}

// laneRows prints rows of the table of lanes.
func laneRows(r *REPL, t debugger.Lanes, columns []debugger.Column, from, end int) {
	selected := r.Session.Here("").Lane
	head := fmt.Sprintf("%6s %-8s", "lane", "")
	for _, c := range columns {
		head += fmt.Sprintf(" %*s", width(c), c.Expr)
	}
	r.print("lane", head, nil)
	for i := from; i < end; i++ {
		lane := t.Lanes[i]
		row := fmt.Sprintf("%s %4d %-8s", map[bool]string{true: ">", false: " "}[lane == selected], lane, map[bool]string{true: "active", false: "inactive"}[t.Active[lane]])
		for _, c := range columns {
			row += fmt.Sprintf(" %*s", width(c), c.Values[i])
		}
		r.print("lane", row, nil)
	}
}

// split parts a list of expressions at the commas outside of brackets.
func split(text string) []string {
	var list []string
	depth, begin := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[begin:i]))
				begin = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[begin:]))
}

// ranges writes the set numbers as 0-3, 5; none for no number.
func ranges(set []bool) string {
	var list []string
	for i := 0; i < len(set); i++ {
		if !set[i] {
			continue
		}
		first := i
		for i+1 < len(set) && set[i+1] {
			i++
		}
		if first == i {
			list = append(list, strconv.Itoa(i))
		} else {
			list = append(list, fmt.Sprintf("%d-%d", first, i))
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

func count(set []bool) (n int) {
	for _, b := range set {
		if b {
			n++
		}
	}
	return n
}

// wordsOfLine is how many words a line of examine has.
const wordsOfLine = 4

// examine prints words of a memory from a place on.
func (r *REPL) examine(arg string) error {
	n := page
	if i := strings.LastIndexByte(arg, ' '); i >= 0 {
		if k, err := strconv.Atoi(arg[i+1:]); err == nil {
			if k < 1 {
				return usage(fmt.Sprintf("invalid number of words %d", k), "write: x PLACE WORDS, with WORDS at least 1")
			}
			arg, n = strings.TrimSpace(arg[:i]), k
		}
	}
	return pointed(arg, r.wordsFrom(arg, 0, n))
}

// wordsFrom prints n words of a memory from a number of words after a place on.
func (r *REPL) wordsFrom(place string, skip, n int) error {
	w, err := r.Session.Examine(place, skip, n)
	if err != nil {
		return err
	}
	for i := 0; i < len(w.Words); i += wordsOfLine {
		words := w.Words[i:min(i+wordsOfLine, len(w.Words))]
		r.print("words", fmt.Sprintf("%s+%#x: %s", w.Memory, 4*(w.From+i), dump(words)), map[string]any{"memory": w.Memory, "offset": 4 * (w.From + i), "words": words})
	}
	if left := w.Total - w.From - len(w.Words); left > 0 {
		r.more = func() error { return r.wordsFrom(place, skip+len(w.Words), n) }
	}
	return nil
}

// dump writes words as hexadecimal, integers and floats.
func dump(words []uint32) string {
	var hex, ints, floats strings.Builder
	for _, w := range words {
		fmt.Fprintf(&hex, " %08x", w)
		fmt.Fprintf(&ints, " %d", w)
		fmt.Fprintf(&floats, " %.6g", math.Float32frombits(w))
	}
	return fmt.Sprintf("%-36s |%s |%s", hex.String(), ints.String(), floats.String())
}

// width is how many characters a column of a table takes.
func width(c debugger.Column) int {
	n := len(c.Expr)
	for _, v := range c.Values {
		n = max(n, len(v))
	}
	return n
}
