package breakpoint

import "strings"

// mostCells bounds the table in which lines are compared. Of a larger change all lines count as replaced.
const mostCells = 1 << 22

// MoveLine finds the line of an edited text that has taken the place of a line, both from 1. One that was replaced is the line at the same
// place of what has replaced it. ok is false where the line is gone without one.
func MoveLine(before, now string, line int) (to int, ok bool) {
	a, b := strings.Split(before, "\n"), strings.Split(now, "\n")
	at := line - 1
	if at < 0 || at >= len(a) {
		return 0, false
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	switch {
	case at < head:
		return line, true
	case at >= len(a)-tail:
		return line + len(b) - len(a), true
	}
	to, ok = moveInside(a[head:len(a)-tail], b[head:len(b)-tail], at-head)
	return to + head + 1, ok
}

// moveInside is MoveLine for lines from 0, of which neither the first nor the last ones are equal.
func moveInside(a, b []string, at int) (to int, ok bool) {
	if len(a)*len(b) > mostCells {
		return replaced(0, len(b), at)
	}
	common := commonLines(a, b)
	i, j := 0, 0
	for {
		first, other := i, j // of a stretch that was replaced
		for i < len(a) && j < len(b) && a[i] != b[j] || (i == len(a)) != (j == len(b)) {
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		switch {
		case at < i:
			return replaced(other, j, at-first)
		case i == len(a):
			return 0, false
		case at == i:
			return j, true
		}
		i, j = i+1, j+1
	}
}

// replaced is the line at the same place of the lines that have replaced others.
func replaced(from, behind, at int) (to int, ok bool) {
	return min(from+at, behind-1), behind > from
}

// commonLines counts the lines that two texts have in common from each pair of lines on.
func commonLines(a, b []string) [][]int32 {
	table := make([][]int32, len(a)+1)
	for i := range table {
		table[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
