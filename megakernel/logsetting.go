package megakernel

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
)

// LogAll is the mask of all kinds of log records: bit k stands for kind k (Event).
const LogAll uint32 = 1<<NumEvents - 1

// LogSampled is the kinds of records that the kernel writes after a scheduling pass, so that they can be sampled.
const LogSampled uint32 = 1<<EventDone | 1<<EventYield | 1<<EventRequeue

// MaxLogEvery bounds the passes of a worker of which one is logged.
const MaxLogEvery = 1 << 16

// LogOpcodes is the number of opcodes that the log can be restricted to.
const LogOpcodes = 4

// maxLogOpcode is the highest value of LogOpcodeSetting.
const maxLogOpcode = 1 << 32

// LogKindsText is the names of the kinds in a mask: "all", "off", or names with + between them.
func LogKindsText(mask uint32) string {
	switch mask & LogAll {
	case LogAll:
		return "all"
	case 0:
		return "off"
	}
	var names []string
	for e := range NumEvents {
		if mask>>e&1 != 0 {
			names = append(names, e.String())
		}
	}
	return strings.Join(names, "+")
}

// ParseLogKinds reads kinds as LogKindsText writes them; commas may stand for +. Kinds with a - before them are left out of
// all. The error is ErrSetting.
func ParseLogKinds(text string) (mask uint32, err error) {
	switch text {
	case "all":
		return LogAll, nil
	case "off", "none":
		return 0, nil
	}
	for i, word := range strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == ',' }) {
		name, without := strings.CutPrefix(word, "-")
		kind := slices.Index(eventNames[:], name)
		if kind < 0 {
			return 0, &fault.Error{Kind: ErrSetting, Subject: "log=" + text, Detail: fmt.Sprintf("unknown kind %q", name), Fix: "use all, off, or some of " + strings.Join(eventNames[:], ", ")}
		}
		if i == 0 && without {
			mask = LogAll
		}
		if without {
			mask &^= 1 << kind
		} else {
			mask |= 1 << kind
		}
	}
	if text == "" || mask == 0 && !strings.Contains(text, "-") {
		return 0, &fault.Error{Kind: ErrSetting, Subject: "log=" + text, Detail: "no kind of record", Fix: "use all, off, or some of " + strings.Join(eventNames[:], ", ")}
	}
	return mask, nil
}

// ParseLog reads what of the debug log is wanted: kinds of records ("all", "off", "done,fault", "-yield"), a sampling
// ("every=64", "1/64", "every=auto") and opcodes ("op=16,17", "op=all"). "all" is of all opcodes, unless others are named. The error
// is ErrSetting.
func ParseLog(words []string) (list []Setting, err error) {
	if slices.Contains(words, "all") && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "op=") }) {
		words = append(slices.Clone(words), "op=all")
	}
	for _, word := range words {
		key, value, found := strings.Cut(word, "=")
		part, sampled := strings.CutPrefix(word, "1/")
		var add []Setting
		switch {
		case sampled:
			add, err = parseEvery(part)
		case found && key == "every":
			add, err = parseEvery(value)
		case found && key == "op":
			add, err = parseLogOpcodes(value)
		default:
			var mask uint32
			mask, err = ParseLogKinds(word)
			add = []Setting{{ID: LogSetting, Value: int64(mask)}}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, add...)
	}
	if len(list) == 0 {
		return nil, &fault.Error{Kind: ErrSetting, Subject: "log", Detail: "nothing to change", Fix: "write, for example, log all, log done,fault every=64, or log op=16"}
	}
	return list, nil
}

func parseEvery(text string) ([]Setting, error) {
	s, err := ParseSetting(LogEverySetting.String() + "=" + text)
	return []Setting{s}, err
}

func parseLogOpcodes(text string) (list []Setting, err error) {
	for i := range LogOpcodes {
		list = append(list, Setting{ID: LogOpcodeSetting, Index: i})
	}
	if text == "all" {
		return list, nil
	}
	words := strings.Split(text, ",")
	if len(words) > LogOpcodes {
		return nil, &fault.Error{Kind: ErrSetting, Subject: "op=" + text, Detail: fmt.Sprintf("%d opcodes", len(words)), Fix: fmt.Sprintf("use at most %d, or all", LogOpcodes)}
	}
	for i, word := range words {
		op, err := strconv.ParseUint(word, 0, 32)
		if err != nil {
			return nil, &fault.Error{Kind: ErrSetting, Subject: "op=" + text, Detail: fmt.Sprintf("%q is not an opcode", word), Fix: "use numbers such as 16 or 0x10, or all"}
		}
		list[i].Value = int64(op) + 1
	}
	return list, nil
}

// Logging is what the kernel of a slice writes to the debug log. The zero value means that it is not known.
type Logging struct {
	Kinds   uint32            // bit k stands for kind k
	Every   uint32            // one in that many scheduling passes of a worker notes LogSampled kinds; 0: not known
	Opcodes [LogOpcodes]int64 // as LogOpcodeSetting; all 0: every opcode
}

// Logging is what the settings in force have the kernel write.
func (s *Settings) Logging() Logging {
	return Logging{Kinds: s.Log & LogAll, Every: s.LogSampling, Opcodes: s.LogOpcodes}
}

// logOutcomes is the kinds of records that end an activation.
const logOutcomes = LogSampled | 1<<EventFault | 1<<EventPause

// Complete reports whether the log tells of every activation.
func (l *Logging) Complete() bool {
	return l.Every == 1 && l.Kinds&logOutcomes == logOutcomes && l.Opcodes == [LogOpcodes]int64{}
}

// Text says in a few words what the debug log leaves out, "" where it leaves out nothing.
func (l *Logging) Text() string {
	if *l == (Logging{}) {
		return ""
	}
	var parts []string
	if l.Kinds&LogAll != LogAll {
		if off := LogAll &^ l.Kinds; bits.OnesCount32(off) <= 2 {
			parts = append(parts, "no "+LogKindsText(off))
		} else {
			parts = append(parts, LogKindsText(l.Kinds))
		}
	}
	if l.Every > 1 && l.Kinds&LogSampled != 0 {
		parts = append(parts, "1/"+strconv.Itoa(int(l.Every)))
	}
	if ops := l.opcodes(); len(ops) > 0 {
		parts = append(parts, fmt.Sprintf("op %v", ops))
	}
	return strings.Join(parts, " ")
}

func (l *Logging) opcodes() (out []uint32) {
	for _, op := range l.Opcodes {
		if op > 0 {
			out = append(out, uint32(op-1))
		}
	}
	return out
}
