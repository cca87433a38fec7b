package glsl

import (
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

// The table of undefined cases in the page is what the front end folds; the numbers here are those
// of the page.
func TestDocSizesMatchTheBounds(t *testing.T) {
	if maxLocalBytes != 1<<20 || maxSharedBytes != 32<<10 || maxDimensions != 8 || guaranteedLocalSize != [3]int64{1024, 1024, 64} || guaranteedInvocations != 1024 {
		t.Error("a bound differs from docs/kernel-language.md: change the page too")
	}
}
