// Package debugger is a source debugger of one dispatch on the reference interpreter. It runs forward
// and back: checkpoints of the whole state and a history of what ran make every earlier time of the
// session reachable by running again from the nearest checkpoint.
//
// Time counts instructions, the beginnings of workgroups, and what the user set. The dispatch runs on
// copies of its buffers, one workgroup at a time.
package debugger
