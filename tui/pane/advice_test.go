package pane

import (
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/recommend"
)

// TestAdviceHasTheSignOfTheTerminal: without Unicode, recommended shapes were written with a multiplication sign.
func TestAdviceHasTheSignOfTheTerminal(t *testing.T) {
	a := recommend.Advice{Shape: megakernel.Shape{Workers: 2, Lanes: 8}, Gain: 1.8, Confidence: recommend.Measured, Reason: "measured"}
	short, note := AdviceTexts(&a, megakernel.Shape{Workers: 1, Lanes: 8}, 'x')
	if short != "2x8 +80%" || !strings.Contains(note, "recommended 2x8 +80%") {
		t.Errorf("%q, %q", short, note)
	}
}
