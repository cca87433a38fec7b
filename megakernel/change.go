package megakernel

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/tasks"
)

// MarshalText gives the setting's name.
func (k SettingID) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a setting's name; an unknown one is ErrSetting.
func (k *SettingID) UnmarshalText(text []byte) error {
	if *k = settingNamed(string(text)); *k == numSettingIDs {
		return &fault.Error{Kind: ErrSetting, Subject: string(text), Detail: "unknown setting", Fix: fault.Use(string(text), settingNames())}
	}
	return nil
}

// Setting is a value for one setting. As text it is "workers=4", "slice=2ms", "priority-offset.low=-1",
// "tenant-mask.3=off" or "tenant-quota.3=500".
type Setting struct {
	ID    SettingID `json:"setting"`
	Index int       `json:"index,omitempty"` // priority or tenant, of settings that have one
	Value int64     `json:"value"`
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

// Name is the setting with its index: "tenant-quota.3".
func (s Setting) Name() string {
	switch {
	case s.ID.Indexes() == 0:
		return s.ID.String()
	case s.ID == PriorityOffsetSetting:
		return s.ID.String() + "." + tasks.Priority(s.Index).String()
	}
	return s.ID.String() + "." + strconv.Itoa(s.Index)
}

// String writes the setting as ParseSetting reads it.
func (s Setting) String() string { return s.Name() + "=" + s.text(s.Value) }

// String writes the change as "workers=4, was 2".
func (c Change) String() string { return c.Setting.String() + ", was " + c.text(c.Old) }

func (s Setting) text(value int64) string {
	switch s.ID {
	case SliceSetting:
		return (time.Duration(value) * time.Microsecond).String()
	case TenantMaskSetting:
		return map[bool]string{true: "on", false: "off"}[value != 0]
	case LogSetting:
		if value >= 0 && value <= int64(LogAll) {
			return LogKindsText(uint32(value))
		}
	case LogEverySetting:
		if value == 0 {
			return "auto"
		}
	case LogOpcodeSetting:
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
	case s.ID >= numSettingIDs:
		return &fault.Error{Kind: ErrSetting, Subject: s.String(), Detail: "unknown setting", Fix: "use one of " + SettingNames()}
	case !exists(s.ID, s.Index):
		return &fault.Error{Kind: ErrSetting, Subject: s.ID.String() + "." + strconv.Itoa(s.Index), Detail: "unknown index", Fix: fmt.Sprintf("use 0 to %d", max(1, s.ID.Indexes())-1)}
	}
	if k := settings[s.ID]; s.Value < k.low || s.Value > k.high {
		return &fault.Error{Kind: ErrSetting, Subject: s.String(), Detail: "not possible", Fix: fmt.Sprintf("use %s to %s", s.text(k.low), s.text(k.high))}
	}
	return nil
}

// SettingNames lists the settings for people.
func SettingNames() string { return strings.Join(settingNames(), ", ") }

func settingNames() []string {
	names := make([]string, numSettingIDs)
	for i := range settings {
		names[i] = settings[i].name
	}
	return names
}

// ParseSetting reads a setting as String writes it; a slice is a duration, a tenant's mask on or off, a
// priority its name or number. The error is ErrSetting.
func ParseSetting(text string) (Setting, error) {
	name, value, found := strings.Cut(text, "=")
	name, index, indexed := strings.Cut(name, ".")
	s := Setting{ID: settingNamed(name)}
	bad := func(detail, fix string) (Setting, error) {
		return Setting{}, &fault.Error{Kind: ErrSetting, Subject: text, Detail: detail, Fix: fix}
	}
	switch {
	case !found || value == "":
		return bad("it sets no value", "write it as workers=4")
	case s.ID == numSettingIDs:
		return bad("unknown setting", fault.Use(name, settingNames()))
	case indexed != (s.ID.Indexes() > 0) && indexed:
		return bad(name+" has no index", "write "+name+"=VALUE")
	case indexed != (s.ID.Indexes() > 0):
		return bad("it does not say of which "+s.indexed(), "write "+name+".N="+value)
	}
	var err error
	if indexed {
		if s.Index, err = s.parseIndex(index); err != nil {
			return bad(fmt.Sprintf("%q is not a %s", index, s.indexed()), fmt.Sprintf("use 0 to %d", s.ID.Indexes()-1))
		}
	}
	if s.Value, err = s.parseValue(value); err != nil {
		return bad(fmt.Sprintf("invalid value %q of %s", value, name), fmt.Sprintf("use %s to %s", s.text(settings[s.ID].low), s.text(settings[s.ID].high)))
	}
	return s, s.check()
}

func settingNamed(name string) SettingID {
	for k := range settings {
		if settings[k].name == name {
			return SettingID(k)
		}
	}
	return numSettingIDs
}

// indexed says what the setting's values are for.
func (s Setting) indexed() string {
	switch s.ID {
	case PriorityOffsetSetting:
		return "priority"
	case LogOpcodeSetting:
		return "place"
	}
	return "tenant"
}

func (s Setting) parseIndex(text string) (int, error) {
	for p := range tasks.NumPriorities {
		if s.ID == PriorityOffsetSetting && tasks.Priority(p).String() == text {
			return p, nil
		}
	}
	return strconv.Atoi(text)
}

func (s Setting) parseValue(text string) (int64, error) {
	switch s.ID {
	case SliceSetting:
		d, err := time.ParseDuration(text)
		if err == nil && d%time.Microsecond != 0 {
			err = strconv.ErrSyntax
		}
		return d.Microseconds(), err
	case TenantMaskSetting:
		if value, word := map[string]int64{"off": 0, "on": 1}[text]; word {
			return value, nil
		}
	case LogSetting:
		mask, err := ParseLogKinds(text)
		return int64(mask), err
	case LogEverySetting:
		if text == "auto" {
			return 0, nil
		}
	case LogOpcodeSetting:
		if text == "none" {
			return 0, nil
		}
		op, err := strconv.ParseUint(text, 0, 32)
		return int64(op) + 1, err
	}
	return strconv.ParseInt(text, 10, 64)
}
