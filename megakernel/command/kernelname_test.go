package command

import (
	"errors"
	"strings"
	"testing"

	"vyretop/megakernel/breakpoint"
)

// TestNamesThatToolsPrintAreWatched: watch control.epoch was refused, because the kernel has the control buffer as an array.
func TestNamesThatToolsPrintAreWatched(t *testing.T) {
	for text, want := range map[string]breakpoint.Place{
		"watch control.epoch":                           {Watch: "control[128]"},
		"watch control.tenant_mask[3] if value == 0":    {Watch: "control[6]", If: "value == 0"},
		"watch control.metric[op 2]":                    {Watch: "control[98]"},
		"watch control[150]":                            {Watch: "control[150]"},
		"watch ring.slot[3].param":                      {Watch: "slot[3].param"},
		"watch control_words.x":                         {Watch: "control_words.x"},
		"control.glsl:12 if control.epoch > uint(i)":    {File: "control.glsl", Line: 12, If: "control[128] > uint(i)"},
		"12 if control.starvation + control.epoch > 7u": {Line: 12, If: "control[135] + control[128] > 7u"},
	} {
		got, err := parsePlace(text)
		if err != nil || *got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"watch control.epochs", "12 if control.tenant_mask[99] == 0u"} {
		if _, err := parsePlace(text); !errors.Is(err, ErrCommand) || !strings.Contains(err.Error(), "Fix: use a name that vyretop words") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
