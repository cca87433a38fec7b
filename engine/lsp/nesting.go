package lsp

import "slices"

// nesting is what is open at a place of a text: brackets, and control statements whose body has no braces.
type nesting struct {
	open   []bracket
	heads  []head // control statements without braces inside the innermost brace whose bodies have not ended
	ended  []head // those that ended with the last token: an else belongs to one of them, or the while of a do
	fresh  bool   // the last token ended the head of a control statement, so the next one begins its body
	awaits bool   // the last token was the word of a control statement that has a parenthesis
	line   int
}

// maxHeads is how many control statements without braces inside each other are followed: a text of nothing else would take
// quadratic time.
const maxHeads = 100

// bracket is one that is open.
type bracket struct {
	text  byte
	head  bool   // parenthesis of a control statement
	level int    // of a brace: the indentation of what it is part of
	heads []head // of a brace: what was open before it
}

// head is the beginning of a control statement.
type head struct {
	word string
	line int
}

// take goes over a token that is not a comment.
func (n *nesting) take(text string) {
	ended, awaits, level := n.ended, n.awaits, 0
	if text == "{" {
		level = n.block() // while fresh tells of the token before
	}
	n.ended, n.awaits, n.fresh = nil, false, false
	switch text {
	case "{":
		n.open = append(n.open, bracket{text: '{', level: level, heads: n.heads})
		n.heads = nil
	case "(", "[":
		n.open = append(n.open, bracket{text: text[0], head: awaits})
	case ")", "]", "}":
		n.close()
	case ";":
		if !n.inside() {
			n.end()
		}
	case "if", "for", "while", "switch", "do", "else":
		n.control(text, ended)
	}
}

func (n *nesting) close() {
	last := len(n.open) - 1
	if last < 0 {
		return
	}
	b := n.open[last]
	n.open = n.open[:last]
	if n.fresh = b.head; b.text == '{' {
		n.heads = b.heads
		n.end()
	}
}

// end ends a statement, and with it those whose body it is.
func (n *nesting) end() { n.ended, n.heads = n.heads, nil }

func (n *nesting) control(word string, ended []head) {
	switch i := begun(word, ended); {
	case word == "while" && i >= 0: // of a do
		n.heads = slices.Clip(ended[:i])
		return
	case word == "else" && i >= 0:
		n.heads = slices.Clip(ended[:i])
	case word == "if" && n.elseHere():
		n.heads = n.heads[:len(n.heads)-1] // an else if is one statement
	}
	if len(n.heads) < maxHeads {
		n.heads = append(n.heads, head{word, n.line})
	}
	n.fresh = word == "do" || word == "else"
	n.awaits = !n.fresh
}

// elseHere reports whether the last token was an else of this line.
func (n *nesting) elseHere() bool {
	last := len(n.heads) - 1
	return last >= 0 && n.heads[last] == head{"else", n.line}
}

// begun is which of the statements that have ended an else or a while belongs to, or -1.
func begun(word string, ended []head) int {
	of := map[string]string{"else": "if", "while": "do"}[word]
	for i, h := range slices.Backward(ended) {
		if of != "" && h.word == of {
			return i
		}
	}
	return -1
}

// inside reports whether a parenthesis or an index is open.
func (n *nesting) inside() bool { return len(n.open) > 0 && !n.inBraces() }

func (n *nesting) inBraces() bool { return len(n.open) > 0 && n.open[len(n.open)-1].text == '{' }

// behind is the level of statements behind that many closing brackets.
func (n *nesting) behind(closing int) int {
	left := max(len(n.open)-closing, 0)
	if i := slices.IndexFunc(n.open[left:], func(b bracket) bool { return b.text == '{' }); i >= 0 {
		return n.open[left+i].level
	}
	for _, b := range slices.Backward(n.open[:left]) {
		if b.text == '{' {
			return b.level + 1
		}
	}
	return 0
}

// lines counts the lines on which control statements begin: each indents its body once.
func lines(heads []head) int {
	count, last := 0, -1
	for _, h := range heads {
		if h.line != last {
			count, last = count+1, h.line
		}
	}
	return count
}

// block is the level of a brace that comes next.
func (n *nesting) block() int {
	deep := lines(n.heads)
	if n.fresh {
		deep--
	}
	return n.behind(0) + max(deep, 0)
}

// continued is the level of a line that continues a statement.
func (n *nesting) continued() int {
	deep := lines(n.heads)
	if slices.ContainsFunc(n.open, func(b bracket) bool { return b.head }) {
		deep-- // of the head itself
	}
	return n.behind(0) + max(deep, 0) + 1
}

// statement is the level of a statement that begins with a word.
func (n *nesting) statement(word string) int {
	if i := begun(word, n.ended); i >= 0 {
		return n.behind(0) + lines(n.ended[:i])
	}
	return n.behind(0) + lines(n.heads)
}
