package units

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembersOfAnything(t *testing.T) {
	tests := []struct {
		in   any
		want []Member
	}{
		{nil, nil}, {[]int{1}, nil}, {make(chan int), nil},
		{map[string]any{"b": []int{1, 2}, "a": "x \"y\""}, []Member{{"a", `x "y"`}, {"b", "[1,2]"}}},
		{map[string]any{"list": []any{map[string]any{"text": "a\nb", "n": 1}, map[string]any{"n": 2}}}, []Member{{"list", "n 1, text \"a\\nb\"\nn 2"}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Members(tt.in)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.in, diff)
		}
	}
}
