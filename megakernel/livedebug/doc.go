// Package livedebug debugs the tasks of a live run by source line: it sets breakpoints inside of handlers, waits until they hold a task,
// and opens the activation of that task in the source debugger (package capture). It is what package attach asks for.
//
// A device cannot stop in the middle of an activation. A task is held behind the one that came to the place, and what is stepped
// is a copy of it; releasing the task lets it continue with its next activation.
//
// A breakpoint with a message holds the task as well: the message needs the values of variables, which only the copy of the
// activation has. The task is resumed when they are known.
package livedebug
