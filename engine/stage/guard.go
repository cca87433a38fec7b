package stage

// guards puts a look at the stop word into the condition of every loop whose keyword stands where wanted
// says. A loop whose condition declares a variable goes unguarded: its parts may be.
func (b *builder) guards(wanted func(at int) bool) []edit {
	var edits []edit
	for i, w := range b.words {
		if w.text != "for" && w.text != "while" || !wanted(w.from) || !sequence(b.words, i+1, "(") {
			continue
		}
		from, to, ok := b.condition(i)
		if !ok {
			continue
		}
		if from == to {
			edits = append(edits, edit{b.words[from].from, b.words[from].from, "vts_go()"})
			continue
		}
		edits = append(edits, edit{b.words[from].from, b.words[from].from, "vts_go() && ("}, edit{b.words[to].from, b.words[to].from, ")"})
	}
	return edits
}

// condition finds the words of a loop's condition, from up to to; none for an empty one.
func (b *builder) condition(keyword int) (from, to int, ok bool) {
	end := closing(b.words, keyword+1)
	if end < 0 {
		return 0, 0, false
	}
	from, to = keyword+2, end
	if b.words[keyword].text == "for" {
		var semicolons []int
		depth := 0
		for i := from; i < end; i++ {
			switch b.words[i].text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			case ";":
				if depth == 0 {
					semicolons = append(semicolons, i)
				}
			}
		}
		if len(semicolons) != 2 {
			return 0, 0, false
		}
		from, to = semicolons[0]+1, semicolons[1]
	}
	declares := to-from > 1 && isName(b.words[from].text) && isName(b.words[from+1].text)
	return from, to, !declares
}

func isName(s string) bool {
	return s[0] == '_' || s[0] >= 'A' && s[0] <= 'Z' || s[0] >= 'a' && s[0] <= 'z'
}
