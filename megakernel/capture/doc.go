// Package capture keeps what one activation of a task needs to run again under the source debugger: the
// kernel's text, the task's slot and the buffers, as they were at one time. It opens anywhere, without a GPU.
//
// # File
//
// A capture is a zip archive of
//
//	capture.json     Header: what was captured, when, and what may differ from the activation on the device
//	kernel.json.zst  kernel.Text as its Pack encodes it
//	buffer-N.u32     words of the buffer with binding N, little-endian u32
//
// The schema member of capture.json is Schema. Readers refuse other schemas, and archives whose entries together
// exceed MaxBytes.
//
// # What is exact
//
// A task that is held, paused, or waits with no worker running is captured as its next activation will find it. While other
// tasks run, they write the same buffers: Header.Changed counts the words that had another value when each buffer
// was read a second time. What a faulted activation wrote before its fault stays in the buffers.
// A task that a breakpoint inside its handler holds (Header.Held) is captured as that activation found its slot. The buffers
// are those of now: what the activation itself and others have written since is in them. How it ends here is compared with what
// the device has left, word by word, and Header.Notes say the outcome: where all words agree, it reads none that was written since,
// or they do not matter.
// A task that has faulted has the words that its slot has after the fault, of which continuation_data is the code: the
// session is at the line that asked for the fault only where these lead to the same code.
// The debug log, the outbox and the inbox's tasks and commands are no input of a handler; they start empty.
package capture
