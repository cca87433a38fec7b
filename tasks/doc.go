// Package tasks owns the 64-byte task slot: its sixteen words, the states a task goes through, the
// transitions between them, priorities, and the summary of a queue.
//
// A slot is sixteen little-endian u32 words:
//
//	0 state             4 input_handle       8 continuation_data  12 age_ticks
//	1 opcode            5 output_handle      9 resume_epoch       13 requeue_count
//	2 tenant            6 param             10 task_id            14 yield_count
//	3 priority          7 continuation_pc   11 parent_task_id     15 flags
//
// A slot that carries a plain operation instead of a task uses words 4..15 as arguments 0..11.
// The numbers in this package are the single origin of the GLSL header that kernels include; they
// are part of the ABI and of recordings and must not change.
package tasks
