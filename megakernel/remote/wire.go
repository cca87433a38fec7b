// Package remote lets other processes of the same user watch and steer a run: a server that listens on
// a unix socket in the user's runtime directory, and a client that offers the interfaces of a live
// target. This comment is the specification of what goes over the socket.
//
// # Sockets
//
// The sockets are in $XDG_RUNTIME_DIR/vyretop, or where that is not set in vyretop-UID of the
// directory for temporary files. The directory has mode 0700 and belongs to the user; a socket has mode
// 0600 and is named after its target: the workload, or workload-2 and so on where that is taken. A
// socket without a listener is removed by the next process that starts a target or lists them.
// Server and client both check by SO_PEERCRED that the peer has the same user id, and both reject a
// directory that is a symbolic link, belongs to another user, or that others may write to.
//
// # From the client
//
// Lines of JSON, at most MaxLine bytes each. The first is a Hello:
//
//	{"protocol":4,"control":"auto","client":"vyretop do","interval_ms":0,"still_ms":0,"log_after":0,"events_after":0}
//
// protocol is the newest version that the client knows. control is what the client asks for (type Control): "auto",
// "ask", "allowed" or "none". client names the program and its command, for messages about who has control. interval_ms is the
// least time between two snapshots, still_ms that between two of which nothing but the time differs (there may be more
// of them: one follows every reply), log_after and events_after are the numbers of the first record and
// event that it does not have; for a log_after of 2^64-1 no records are sent. The lines behind it are requests, each of exactly one
// kind; a line with none or several is answered with an error and nothing of it is carried out. Only "read" is carried
// out for a client without control:
//
//	{"id":7,"command":{"op":5,"task":0,"slot":0,"worker":3,"arg":0}}
//	{"id":8,"retune":{"workers":4,"lanes":32}}
//	{"id":9,"apply":[{"setting":"aging","value":8},{"setting":"tenant-quota","index":3,"value":500}]}
//	{"id":10,"undo":true}
//	{"id":15,"try":{"workers":2,"lanes":8}}
//	{"id":11,"read":{"buffer":"table","first":1024,"words":1024}}
//	{"id":12,"arm":{"condition":"op=7","program":[{"kind":0,"field":1,"accept":2,"value":7}],"action":"stop"}}
//	{"id":13,"break":{"breakpoint":1,"do":"delete"}}
//	{"id":14,"end":"drain"}
//	{"id":16,"note":"the queue is full from here on"}
//	{"id":17,"record":{"file":"/home/me/run.mcap"}}
//	{"id":18,"reload":true}
//	{"id":19,"spawn":{"opcode":256,"words":[1,2],"priority":2,"tenant":0}}
//	{"id":20,"rerun":true}
//
// try measures a shape against the one in force and takes it back unless it is faster; members that are 0 stay, and
// where both are 0 the recommended shape is tried.
//
// do of break is "delete", "enable" or "disable", and breakpoint 0 means all. end is "drain", answered when nothing is left that continues by itself, or "stop", answered at once. file of record
// is where the run begins a recording, "off" ends it, and "" does what can be done: it is an absolute path.
//
// # From the server
//
// A stream as package fixtures specifies it, with further topics of JSON:
//
//	welcome  Welcome: first message behind the header
//	refused  Refused: instead of a welcome; the server closes
//	settings megakernel.Settings: before the first snapshot, and after they changed
//	reloaded megakernel.Reload: handlers that took the place of those in the header, before the first records of them
//	breakpoints  a list of breakpoint.Status: before the first snapshot where there are some, and after they changed
//	reply    the answer to the request with the same id: "error" and "fault", or "ack", "text", "changes", "words", "armed" or "trial"
//	bye      Bye: the run has ended in order; the server closes
//
// A fault is an error as a tree, so that clients can tell what it is without reading its text:
//
//	{"text":"…","kind":"option","data":{"Option":"lanes",…},"causes":[…]}
//
// kind names an error type or value of this program and data has its members; both are absent where it
// is none of faultKinds. causes are the faults that it wraps.
//
// Snapshots come as the run reads them, or less often where the ring is so large that a client would cost
// more than a fifth of a core, with the log records and events before each. One that the
// client is too slow for is left out, and so are records that the run does not keep that long; a gap
// message counts them. The run never waits for a client.
package remote

import (
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/tune"
)

// Protocol is the version of what goes over the socket. Clients and servers of different versions refuse
// each other.
const Protocol = 4

// MaxLine bounds a line from a client, in bytes.
const MaxLine = 16384

// The further topics.
const (
	topicWelcome  = "welcome"
	topicRefused  = "refused"
	topicSettings = "settings"
	topicReply    = "reply"
	topicBreaks   = "breakpoints"
	topicReloaded = "reloaded"
	topicBye      = "bye"
)

var topics = []string{topicWelcome, topicRefused, topicSettings, topicReply, topicBreaks, topicReloaded, topicBye}

// Hello is the first line of a client.
type Hello struct {
	Protocol    int     `json:"protocol"`
	Control     Control `json:"control"`
	Client      string  `json:"client,omitempty"`
	IntervalMs  int64   `json:"interval_ms"`
	LogAfter    uint64  `json:"log_after"`
	EventsAfter int     `json:"events_after"`
	StillMs     int64   `json:"still_ms,omitempty"`
}

// Welcome is the answer to a Hello.
type Welcome struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"` // of the target
	PID      int    `json:"pid"`
	Control  bool   `json:"control"` // the client may steer

	Buffers []megakernel.BufferInfo `json:"buffers,omitempty"` // that can be read by requests
}

// Refused says why there is no Welcome.
type Refused struct {
	Text string `json:"text"`
}

// Bye says why the server closes.
type Bye struct {
	Text string `json:"text"`
}

// request is a line behind the Hello. Exactly one member besides ID is set; the server rejects any other line.
type request struct {
	ID      uint64               `json:"id"`
	Command *command             `json:"command,omitempty"`
	Retune  *megakernel.Shape    `json:"retune,omitempty"`
	Apply   []megakernel.Setting `json:"apply,omitempty"`
	Try     *megakernel.Shape    `json:"try,omitempty"` // zero members: the recommended shape
	Undo    bool                 `json:"undo,omitempty"`
	Read    *extract             `json:"read,omitempty"`
	End     string               `json:"end,omitempty"`
	Note    string               `json:"note,omitempty"`
	Record  *recordRequest       `json:"record,omitempty"`
	Reload  bool                 `json:"reload,omitempty"`
	Spawn   *megakernel.Injected `json:"spawn,omitempty"`
	Rerun   bool                 `json:"rerun,omitempty"`

	Arm   *breakpoint.Breakpoint `json:"arm,omitempty"`
	Break *breakChange           `json:"break,omitempty"`
}

// kinds counts the members that are set.
func (r *request) kinds() (n int) {
	for _, set := range []bool{
		r.Command != nil, r.Retune != nil, r.Try != nil, r.Apply != nil, r.Undo, r.Read != nil, r.End != "", r.Note != "", r.Record != nil, r.Reload, r.Spawn != nil, r.Rerun, r.Arm != nil, r.Break != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

// recordRequest begins or ends a recording.
type recordRequest struct {
	File string `json:"file"`
}

// The ways to end a run.
const (
	endDrain = "drain"
	endStop  = "stop"
)

// breakChange is a change of a breakpoint that is there.
type breakChange struct {
	Breakpoint int    `json:"breakpoint"`
	Do         string `json:"do"`
}

// What a breakChange does.
const (
	breakDelete  = "delete"
	breakEnable  = "enable"
	breakDisable = "disable"
)

// extract is a part of a buffer, of at most maxExtract words. Who only watches may read too.
type extract struct {
	Buffer string `json:"buffer"`
	First  int    `json:"first"`
	Words  int    `json:"words"`
}

const maxExtract = 1 << 16

// command is a megakernel.Command.
type command struct {
	Op     megakernel.CommandOp `json:"op"`
	Task   uint32               `json:"task"`
	Slot   uint32               `json:"slot"`
	Worker uint32               `json:"worker"`
	Arg    uint32               `json:"arg"`

	Expected uint32 `json:"expected,omitempty"`
	Desired  uint32 `json:"desired,omitempty"`
}

// reply answers a request: an error, or what the target said.
type reply struct {
	ID      uint64              `json:"id"`
	Error   string              `json:"error,omitempty"`
	Fault   *wireFault          `json:"fault,omitempty"` // what Error is the text of
	Ack     *ack                `json:"ack,omitempty"`
	Text    string              `json:"text,omitempty"` // what was done, for people
	Changes []megakernel.Change `json:"changes,omitempty"`
	Words   []uint32            `json:"words,omitempty"`
	Armed   *breakpoint.Status  `json:"armed,omitempty"`
	Trial   *tune.Trial         `json:"trial,omitempty"`
}

// ack is a megakernel.Ack without its command.
type ack struct {
	Result    megakernel.AckResultCode `json:"result"`
	Slot      uint32                   `json:"slot"`
	Detail    uint32                   `json:"detail"`
	LatencyNs int64                    `json:"latency_ns"`
}

func (a *ack) of(c megakernel.Command) megakernel.Ack {
	return megakernel.Ack{Command: c, Result: a.Result, Slot: a.Slot, Detail: a.Detail, Latency: time.Duration(a.LatencyNs)}
}
