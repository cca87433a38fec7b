// Package breakpoint owns what a breakpoint is: a condition over the words of a task, what happens when a
// worker is about to activate a task that fulfils it, and how often that has happened. The condition is a
// program (Program) that the device runs before each activation, in the words that package megakernel gives
// it, and the host over samples (Program.Match), with the same result.
//
// A breakpoint with a condition acts before an activation: a task that is held has run nothing of the activation that was about to
// begin, and keeps its words and its continuation. An activation is looked at once, so a task that was held continues when it is
// resumed, and is looked at again at its next activation.
//
// A breakpoint with a Place is about what an activation does: it comes to a line of a handler, changes a watched value, or brings
// about an event. A device cannot stop one lane without the others, so the activation ends first, and the task is held
// behind it; the words with which the activation began are kept, and the source debugger opens it from there (package
// capture). A hit is an activation in which that happens at least once.
package breakpoint

import (
	"vyretop/engine/fault"
)

// ErrCondition is matched by errors about a breakpoint that cannot be.
const ErrCondition fault.Kind = "breakpoint is not possible"
