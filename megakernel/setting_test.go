package megakernel

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseSetting(t *testing.T) {
	for text, want := range map[string]Setting{
		"workers=4":              {WorkersSetting, 0, 4},
		"lanes=8":                {LanesSetting, 0, 8},
		"slice=2ms":              {SliceSetting, 0, 2000},
		"priority-offset.low=-1": {PriorityOffsetSetting, 3, -1},
		"priority-offset.4=-2":   {PriorityOffsetSetting, 4, -2},
		"aging=0":                {AgingSetting, 0, 0},
		"starvation=64":          {StarvationSetting, 0, 64},
		"tenant-mask.28=off":     {TenantMaskSetting, 28, 0},
		"tenant-mask.0=on":       {TenantMaskSetting, 0, 1},
		"tenant-quota.3=500":     {TenantQuotaSetting, 3, 500},
	} {
		if got, err := ParseSetting(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestImpossibleSettings(t *testing.T) {
	for text, fix := range map[string]string{
		"":                       "write it as workers=4",
		"workers":                "write it as workers=4",
		"workers=":               "write it as workers=4",
		"worker=1":               `did you mean "workers"? Otherwise use one of workers, lanes`,
		"workers=0":              "use 1 to 2048",
		"workers=99999":          "use 1 to 2048",
		"workers=x":              "use 1 to 2048",
		"workers.1=2":            "write workers=VALUE",
		"slice=7":                "use 100µs to 1h0m0s",
		"slice=1000500ns":        "use 100µs to 1h0m0s",
		"slice=1us":              "use 100µs to 1h0m0s",
		"slice=2h":               "use 100µs to 1h0m0s",
		"tenant-mask=on":         "write tenant-mask.N=on",
		"tenant-mask.29=on":      "use 0 to 28",
		"tenant-mask.1=2":        "use off to on",
		"tenant-mask.x=on":       "use 0 to 28",
		"tenant-quota.-1=5":      "use 0 to 28",
		"priority-offset.6=1":    "use 0 to 4",
		"priority-offset.low=-5": "use -4 to 4",
		"aging=99999999999":      "use 0 to 268435456",
	} {
		_, err := ParseSetting(text)
		if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "Fix: "+fix) {
			t.Errorf("%q: %v, want a fix that begins with %q", text, err, fix)
		}
	}
}

// genSetting draws settings that are possible.
func genSetting(t *rapid.T) Setting {
	k := SettingID(rapid.IntRange(0, NumSettingIDs-1).Draw(t, "setting"))
	return Setting{
		ID: k, Index: rapid.IntRange(0, max(1, k.Indexes())-1).Draw(t, "index"),
		Value: rapid.Int64Range(settings[k].low, settings[k].high).Draw(t, "value"),
	}
}

// TestSettingsAsTextAndBack: what is written is read as the same setting, also in JSON, and Get returns
// what Set set.
func TestSettingsAsTextAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genSetting(t)
		if got, err := ParseSetting(want.String()); err != nil || got != want {
			t.Fatalf("%s: %+v, %v; want %+v", want, got, err, want)
		}
		text, err := json.Marshal(Change{Setting: want, Old: 1})
		var c Change
		if err := errors.Join(err, json.Unmarshal(text, &c)); err != nil || c.Setting != want || c.Old != 1 {
			t.Fatalf("%s: %+v, %v", text, c, err)
		}
		var s Settings
		if err := s.Set(want); err != nil || s.Get(want.ID, want.Index) != want.Value {
			t.Fatalf("%s: %v, now %d", want, err, s.Get(want.ID, want.Index))
		}
	})
}

// TestSetOfAnythingDoesNotPanic: a setting that is not possible changes nothing.
func TestSetOfAnythingDoesNotPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := Setting{ID: SettingID(rapid.Byte().Draw(t, "setting")), Index: rapid.Int().Draw(t, "index"), Value: rapid.Int64().Draw(t, "value")}
		var s Settings
		if err := s.Set(x); err != nil && (s != Settings{} || !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "Fix: ")) {
			t.Fatalf("%+v: %v, settings %+v", x, err, s)
		}
		_ = s.Get(x.ID, x.Index)
	})
}

func FuzzParseSetting(f *testing.F) {
	f.Add("tenant-quota.3=500")
	f.Add("slice=2ms")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSetting(text)
		if err != nil {
			return
		}
		if again, err := ParseSetting(s.String()); err != nil || again != s {
			t.Fatalf("%q: %+v, written as %q and read as %+v, %v", text, s, s, again, err)
		}
	})
}
