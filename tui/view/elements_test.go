package view

import (
	"math"
	"testing"

	"vyretop/megakernel"
)

func TestElementNames(t *testing.T) {
	for _, tc := range []struct {
		info megakernel.BufferInfo
		word int
		want string
	}{
		{megakernel.BufferInfo{}, 7, "+7"},
		{megakernel.BufferInfo{Element: "uint", StrideWords: 1}, 7, "[7]"},
		{megakernel.BufferInfo{Element: "uint", HeadWords: 4, StrideWords: 1}, 3, "head+3"},
		{megakernel.BufferInfo{Element: "uint", HeadWords: 4, StrideWords: 1}, 4, "[0]"},
		{megakernel.BufferInfo{Element: "vec4", StrideWords: 4}, 9, "[2].y"},
		{megakernel.BufferInfo{Element: "uvec3", StrideWords: 4}, 7, "[1] padding"},
		{megakernel.BufferInfo{Element: "Cell", StrideWords: 5}, 12, "Cell[2]+2"},
		{megakernel.BufferInfo{Element: "Cell", StrideWords: 1}, 12, "Cell[12]"},
		{megakernel.BufferInfo{Element: "vec9", StrideWords: 2}, 1, "vec9[0]+1"},
	} {
		if got := elementName(&tc.info, tc.word); got != tc.want {
			t.Errorf("word %d of %+v is %q, want %q", tc.word, tc.info, got, tc.want)
		}
	}
}

func TestElementMeanings(t *testing.T) {
	minus := math.Float32bits(-1.5)
	for element, want := range map[string]string{"float": "-1.5", "vec3": "-1.5", "int": "-1077936128", "ivec2": "-1077936128", "bool": "true", "uint": "", "Cell": "", "": ""} {
		if got := elementMeaning(&megakernel.BufferInfo{Element: element, StrideWords: 1}, 0, minus); got != want {
			t.Errorf("as %q it means %q, want %q", element, got, want)
		}
	}
}
