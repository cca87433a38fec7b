package fault

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns the word that typed is most likely a misspelling of, "" where none is close: case and one wrong,
// missing, additional or swapped letter for every three of typed do not count, nor does a missing end.
func Nearest(typed string, words []string) string {
	typed = strings.ToLower(typed)
	limit := max(1, len(typed)/3)
	best, at := "", limit+1
	for _, w := range words {
		if d := distance(typed, strings.ToLower(w)); d < at && d < len(typed) {
			best, at = w, d
		}
	}
	if best != "" || len(typed) < 2 {
		return best
	}
	longer := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(strings.ToLower(w), typed) })
	if len(longer) == 0 {
		return ""
	}
	return slices.MinFunc(longer, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

// Suggest is what to do about a name that is none of words: a question where one is close, then what helps in any case.
func Suggest(typed string, words []string, otherwise string) string {
	if near := Nearest(typed, words); near != "" {
		return `did you mean "` + near + `"? Otherwise ` + otherwise
	}
	return otherwise
}

// Use is Fix for a list that is short enough to be printed.
func Use(typed string, words []string) string {
	return Suggest(typed, words, "use one of "+strings.Join(words, ", "))
}

// distance counts the letters that are wrong, missing, additional or swapped with their neighbor (optimal string
// alignment).
func distance(a, b string) int {
	var before []int
	row, next := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, make([]int, len(b)+1)
	}
	return row[len(b)]
}
