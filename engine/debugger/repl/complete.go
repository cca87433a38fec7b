package repl

import (
	"slices"
	"strings"
)

// Candidates lists what the last word of a text that is being typed may become.
func (r *REPL) Candidates(text string) (word string, list []string) {
	text = strings.TrimLeft(text, " ")
	if rest, ok := strings.CutPrefix(text, "rev "); ok {
		text = strings.TrimLeft(rest, " ")
		if !strings.Contains(text, " ") {
			return text, r.verbsFor(text, true)
		}
	}
	name, rest, found := strings.Cut(text, " ")
	if !found {
		return text, r.verbsFor(text, false)
	}
	v, ok := r.verb(name)
	switch {
	case !ok:
		return "", nil
	case v.takes == commands:
		return rest, r.verbsFor(rest, false)
	case v.takes != expressions || r.Session == nil:
		return "", nil
	}
	word = lastName(rest)
	return word, fitting(word, r.Session.Names())
}

func (r *REPL) verbsFor(word string, back bool) []string {
	var list []string
	for _, v := range table() {
		if v.back || !back {
			list = append(list, v.names[0])
		}
	}
	if !back {
		list = append(list, "rev")
	}
	return fitting(word, list)
}

// fitting lists the names that begin with word, sorted, each once.
func fitting(word string, names []string) []string {
	list := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, word) })
	slices.Sort(list)
	return slices.Compact(list)
}

// lastName is the name at the end of an expression that is being typed.
func lastName(text string) string {
	i := strings.LastIndexFunc(text, func(c rune) bool {
		return c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	return text[i+1:]
}
