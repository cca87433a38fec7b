// Package workload owns what a resident megakernel is given to do: the Workload contract, the
// manifest format workload.toml, and the generic workload that a manifest alone describes.
//
// # workload.toml
//
// A workload is a folder with a manifest and the files that it names. Keys that are not listed
// here are errors. EXPR is an integer, a string "A" or "A op B", where A and B are integers,
// "index" (of the task, or of the word in a buffer) or "$flag", and op is one of + - * / %;
// the value must fit 32 bits without a sign.
//
//	name = "collatz"          # required: letters, digits, - and _
//	title = "…"               # one line for lists
//	driver = "scan"           # optional: Go code that supplies buffers and tasks
//	iterations = 4096         # loop iterations of one activation, 1..60000
//	operations = true         # tasks may be operations of the protocol (package builtin), by name or number
//	observables = 16          # words that operations write to; checks call them buffer "observables"
//	automaton = "next"        # of DFA_STEP: uint next(uint state, uint symbol) of a handler file
//
//	[[flag]]                  # a number that the user may set on the command line
//	name = "count"            # --count; required
//	default = 1000            # required
//	min = 1                   # bounds, default 0 and 4294967295
//	max = 100000
//	help = "…"
//
//	[[buffer]]
//	name = "steps"            # required, unique
//	binding = 8               # required, unique, 8..15
//	words = EXPR              # size in 32-bit words; required unless file or values gives it
//	fill = EXPR               # initial value of word "index"; default 0
//	file = "input.bin"        # initial contents, little-endian words
//	values = [1, 2, 3]        # initial contents
//	host_visible = true       # mapped for the host while the kernel runs
//	unordered = true          # its words depend on the order in which tasks ran
//
//	[[opcode]]
//	number = 0x100            # required, unique, not reserved by the protocol
//	name = "collatz"          # required, unique
//	handler = "collatz"       # required: void collatz(inout Task t)
//	file = "collatz.glsl"     # required, inside the folder
//
//	[[task]]                  # initial tasks
//	opcode = "collatz"        # name or number; required
//	count = EXPR              # how many, default 1; "index" is 0 here
//	priority = "normal"       # or critical, high, low, idle; or 0..4
//	tenant = 0                # 0..28
//	input = EXPR              # input_handle, default 0
//	output = EXPR             # output_handle, default 0
//	param = EXPR              # param, default 0
//
//	[progress]                # how far the work is; left out, initial tasks that have ended
//	buffer = "status"         # buffer with the word that the handlers count in; it becomes host visible
//	word = 0                  # number of that word, default 0; it must not fall
//	total = EXPR              # value of the word at the end; left out, it is not known
//	unit = "edges"            # what is counted, plural; required
//
//	[[verify]]                # what must hold when every task has ended
//	buffer = "steps"          # with exactly one of file, values, sha256, value
//	file = "steps.bin"        # little-endian words
//	values = [0, 1, 7]
//	sha256 = "…"              # of the words, little-endian
//	value = EXPR              # of word "index"
//
//	[[verify]]
//	faulted = 0               # number of tasks that end in a fault, default 0
package workload
