package megakernel

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel/suggest"
	"vyretop/tasks"
)

// MarshalText gives the knob's name.
func (k Knob) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a knob's name; an unknown one is ErrSetting.
func (k *Knob) UnmarshalText(text []byte) error {
	if *k = knobNamed(string(text)); *k == numKnobs {
		return &fault.Error{Kind: ErrSetting, Subject: string(text), Detail: "unknown setting", Fix: suggest.Use(string(text), knobNames())}
	}
	return nil
}

// Setting is a position of one knob. As text it is "workers=4", "slice=2ms", "priority-offset.low=-1",
// "tenant-mask.3=off" or "tenant-quota.3=500".
type Setting struct {
	Knob  Knob  `json:"knob"`
	Index int   `json:"index,omitempty"` // priority or tenant, of knobs that have one
	Value int64 `json:"value"`
}

// Change is a setting that was made on a target, and what it replaced.
type Change struct {
	Setting
	Old int64 `json:"old"`
}

// ErrSetting is matched by every error about a setting that no target can have.
const ErrSetting fault.Kind = "impossible setting"

// ErrCompiling is matched by errors about changes that wait for the kernel to be compiled for them.
const ErrCompiling fault.Kind = "the kernel is being compiled"

// Name is the knob with its index: "tenant-quota.3".
func (s Setting) Name() string {
	switch {
	case s.Knob.Indexes() == 0:
		return s.Knob.String()
	case s.Knob == KnobPriorityOffset:
		return s.Knob.String() + "." + tasks.Priority(s.Index).String()
	}
	return s.Knob.String() + "." + strconv.Itoa(s.Index)
}

// String writes the setting as ParseSetting reads it.
func (s Setting) String() string { return s.Name() + "=" + s.text(s.Value) }

// String writes the change as "workers=4, was 2".
func (c Change) String() string { return c.Setting.String() + ", was " + c.text(c.Old) }

func (s Setting) text(value int64) string {
	switch s.Knob {
	case KnobSlice:
		return (time.Duration(value) * time.Microsecond).String()
	case KnobTenantMask:
		return map[bool]string{true: "on", false: "off"}[value != 0]
	case KnobLog:
		if value >= 0 && value <= int64(LogAll) {
			return LogKindsText(uint32(value))
		}
	case KnobLogEvery:
		if value == 0 {
			return "auto"
		}
	case KnobLogOpcode:
		if value == 0 {
			return "none"
		}
		return strconv.FormatInt(value-1, 10)
	}
	return strconv.FormatInt(value, 10)
}

// check finds what is wrong with the setting on every device.
func (s Setting) check() error {
	switch {
	case s.Knob >= numKnobs:
		return &fault.Error{Kind: ErrSetting, Subject: s.String(), Detail: "unknown setting", Fix: "use one of " + KnobNames()}
	case !exists(s.Knob, s.Index):
		return &fault.Error{Kind: ErrSetting, Subject: s.Knob.String() + "." + strconv.Itoa(s.Index), Detail: "unknown index", Fix: fmt.Sprintf("use 0 to %d", max(1, s.Knob.Indexes())-1)}
	}
	if k := knobs[s.Knob]; s.Value < k.low || s.Value > k.high {
		return &fault.Error{Kind: ErrSetting, Subject: s.String(), Detail: "not possible", Fix: fmt.Sprintf("use %s to %s", s.text(k.low), s.text(k.high))}
	}
	return nil
}

// KnobNames lists the knobs for people.
func KnobNames() string { return strings.Join(knobNames(), ", ") }

func knobNames() []string {
	names := make([]string, numKnobs)
	for i := range knobs {
		names[i] = knobs[i].name
	}
	return names
}

// ParseSetting reads a setting as String writes it; a slice is a duration, a tenant's mask on or off, a
// priority its name or number. The error is ErrSetting.
func ParseSetting(text string) (Setting, error) {
	name, value, found := strings.Cut(text, "=")
	name, index, indexed := strings.Cut(name, ".")
	s := Setting{Knob: knobNamed(name)}
	bad := func(detail, fix string) (Setting, error) {
		return Setting{}, &fault.Error{Kind: ErrSetting, Subject: text, Detail: detail, Fix: fix}
	}
	switch {
	case !found || value == "":
		return bad("it sets no value", "write it as workers=4")
	case s.Knob == numKnobs:
		return bad("unknown setting", suggest.Use(name, knobNames()))
	case indexed != (s.Knob.Indexes() > 0) && indexed:
		return bad(name+" has no index", "write "+name+"=VALUE")
	case indexed != (s.Knob.Indexes() > 0):
		return bad("it does not say of which "+s.indexed(), "write "+name+".N="+value)
	}
	var err error
	if indexed {
		if s.Index, err = s.parseIndex(index); err != nil {
			return bad(fmt.Sprintf("%q is no %s", index, s.indexed()), fmt.Sprintf("use 0 to %d", s.Knob.Indexes()-1))
		}
	}
	if s.Value, err = s.parseValue(value); err != nil {
		return bad(fmt.Sprintf("invalid value %q of %s", value, name), fmt.Sprintf("use %s to %s", s.text(knobs[s.Knob].low), s.text(knobs[s.Knob].high)))
	}
	return s, s.check()
}

func knobNamed(name string) Knob {
	for k := range knobs {
		if knobs[k].name == name {
			return Knob(k)
		}
	}
	return numKnobs
}

// indexed says what the knob's values are for.
func (s Setting) indexed() string {
	switch s.Knob {
	case KnobPriorityOffset:
		return "priority"
	case KnobLogOpcode:
		return "place"
	}
	return "tenant"
}

func (s Setting) parseIndex(text string) (int, error) {
	for p := range tasks.NumPriorities {
		if s.Knob == KnobPriorityOffset && tasks.Priority(p).String() == text {
			return p, nil
		}
	}
	return strconv.Atoi(text)
}

func (s Setting) parseValue(text string) (int64, error) {
	switch s.Knob {
	case KnobSlice:
		d, err := time.ParseDuration(text)
		if err == nil && d%time.Microsecond != 0 {
			err = strconv.ErrSyntax
		}
		return d.Microseconds(), err
	case KnobTenantMask:
		if value, word := map[string]int64{"off": 0, "on": 1}[text]; word {
			return value, nil
		}
	case KnobLog:
		mask, err := ParseLogKinds(text)
		return int64(mask), err
	case KnobLogEvery:
		if text == "auto" {
			return 0, nil
		}
	case KnobLogOpcode:
		if text == "none" {
			return 0, nil
		}
		op, err := strconv.ParseUint(text, 0, 32)
		return int64(op) + 1, err
	}
	return strconv.ParseInt(text, 10, 64)
}
