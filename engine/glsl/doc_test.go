package glsl

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/tree"
)

// docs/kernel-language.md must list the built-in functions family by family, approximate ones in
// italics, exactly as the table has them.
func TestDocListsEveryBuiltin(t *testing.T) {
	data, err := os.ReadFile("../../docs/kernel-language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(data), "<!-- builtins:")
	list, _, ended := strings.Cut(list, "<!-- end of builtins -->")
	if !found || !ended {
		t.Fatal("the page has no list of built-in functions")
	}
	words := regexp.MustCompile("\\*\\w+\\*|`\\w+`")
	documented := map[string][]string{}
	for _, entry := range strings.Split(list, "\n- ")[1:] {
		family, names, _ := strings.Cut(entry, ":")
		documented[family] = words.FindAllString(names, -1)
	}
	want := map[string][]string{}
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		mark := "`"
		if b.Approximate {
			mark = "*"
		}
		want[b.Family.String()] = append(want[b.Family.String()], mark+b.Name+mark)
	}
	for family, names := range want {
		if !slices.Equal(documented[family], names) {
			t.Errorf("%s: the page has\n%v\nthe table\n%v", family, documented[family], names)
		}
	}
	if len(documented) != len(want) {
		t.Errorf("the page lists %d families, the table %d", len(documented), len(want))
	}
}

// The bounds that the page names must be those of the checker.
func TestDocNamesTheBounds(t *testing.T) {
	data, err := os.ReadFile("../../docs/kernel-language.md")
	if err != nil {
		t.Fatal(err)
	}
	size := guaranteedLocalSize
	for _, words := range []string{
		fmt.Sprintf("up to %d dimensions", maxDimensions),
		fmt.Sprintf("at most %d KiB", maxLocalBytes>>10),
		fmt.Sprintf("together %d KiB", maxSharedBytes>>10),
		fmt.Sprintf("at most %d, %d and %d, and %d together", size[0], size[1], size[2], guaranteedInvocations),
		fmt.Sprintf("up to %s values", []string{3: "three", 4: "four", 5: "five"}[maxLogArgs]),
	} {
		if !strings.Contains(string(data), words) {
			t.Errorf("the page does not say %q", words)
		}
	}
}
