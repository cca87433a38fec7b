package resident_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// logged is a session whose log is read.
type logged struct {
	*testing.T
	s       *resident.Session
	formats []string
	reader  *megakernel.LogReader
}

func startLogged(t *testing.T, b engine.Backend) logged {
	k := shared(t, b)
	s := start(t, b, k, resident.Options{Workers: 1})
	r, err := s.Log()
	if err != nil {
		t.Fatal(err)
	}
	return logged{t, s, s.Target().Formats, r}
}

// run publishes tasks and waits until all that they have spawned has ended, too.
func (l logged) run(ts ...tasks.Task) {
	l.Helper()
	publish(l.T, l.s, ts)
	collect(l.T, l.s, len(ts))
	if err := l.s.AwaitRest(deadline(l)); err != nil {
		l.Fatal(err)
	}
}

// read returns the records that came since the last time, and how many of each kind.
func (l logged) read() (records []megakernel.LogRecord, kinds [megakernel.NumEvents]uint64) {
	for {
		n := len(records)
		records, _ = l.reader.Read(records, 1<<12)
		if len(records) == n {
			break
		}
	}
	for i := range records {
		kinds[megakernel.KindOf(records[i].Format)]++
	}
	return records, kinds
}

func (l logged) apply(list ...megakernel.Setting) {
	l.Helper()
	if _, err := l.s.Apply(deadline(l), list...); err != nil {
		l.Fatal(err)
	}
}

func parents(n int, param uint32) []tasks.Task {
	return work(n, func(_ int, t *tasks.Task) { t.Opcode, t.Param = opParent, param })
}

// TestEventsCannotOverrunFaultsAndMessages: a kernel that notes thousands of activations loses some of these, and counts
// them by kind, but neither a fault nor what a handler says.
func TestEventsCannotOverrunFaultsAndMessages(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		l := startLogged(t, b)
		l.run(one(opTalker, nil)[0], one(opFailing, nil)[0])
		l.run(parents(8, 1000)...)
		records, kinds := l.read()
		var said, faulted string
		for i := range records {
			switch r := &records[i]; megakernel.KindOf(r.Format) {
			case megakernel.EventNone:
				said = r.Text(l.formats)
			case megakernel.EventFault:
				faulted = r.Text(l.formats)
			}
		}
		if said != "task 1 says -3 and 0.5" || faulted != "fault, code 0x123, handlers.glsl:11" {
			t.Errorf("the handler said %q, and the fault is %q", said, faulted)
		}
		lost, c := l.reader.LostKinds(), l.s.Summary().Counters
		want := [megakernel.NumEvents]uint64{
			megakernel.EventDone:  c[megakernel.CountDone] - kinds[megakernel.EventDone],
			megakernel.EventYield: c[megakernel.CountYields] - kinds[megakernel.EventYield],
		}
		if lost != want || l.reader.Lost() != want[megakernel.EventDone]+want[megakernel.EventYield] || l.reader.Lost() == 0 {
			t.Errorf("lost %d: %v by kind, want %v; read %v", l.reader.Lost(), lost, want, kinds)
		}
		if all := l.s.Summary().Log; uint64(len(records))+l.reader.Lost() != uint64(all) {
			t.Errorf("read %d and lost %d of %d records", len(records), l.reader.Lost(), all)
		}
	})
}

// TestTheLogIsSwitchedWhileTheKernelRuns: what is not wanted is not written.
func TestTheLogIsSwitchedWhileTheKernelRuns(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		l := startLogged(t, b)
		for _, c := range []struct {
			log  string
			run  []tasks.Task
			want [megakernel.NumEvents]uint64
		}{
			{"log=all", parents(1, 3), [megakernel.NumEvents]uint64{megakernel.EventDone: 4, megakernel.EventYield: 3}},
			{"log=off", append(parents(1, 3), one(opTalker, nil)...), [megakernel.NumEvents]uint64{}},
			{"log=debugf+fault", append(parents(1, 3), one(opTalker, nil)[0], one(opFailing, nil)[0]), [megakernel.NumEvents]uint64{1, 0, 1}},
			{"log=-yield", parents(1, 3), [megakernel.NumEvents]uint64{megakernel.EventDone: 4}},
			{"log-opcode.2=22", append(parents(1, 3), one(opFailing, nil)...), [megakernel.NumEvents]uint64{megakernel.EventDone: 3, megakernel.EventFault: 1}},
		} {
			set, err := megakernel.ParseSetting(c.log)
			if err != nil {
				t.Fatal(err)
			}
			l.apply(set)
			l.run(c.run...)
			if _, got := l.read(); got != c.want {
				t.Errorf("%s: records by kind %v, want %v", c.log, got, c.want)
			}
		}
		l.apply(megakernel.Setting{ID: megakernel.LogSetting, Value: int64(megakernel.LogAll)}, megakernel.Setting{ID: megakernel.LogOpcodeSetting, Index: 2}, megakernel.Setting{ID: megakernel.LogEverySetting, Value: 60})
		l.run(parents(1, 2000)...)
		_, kinds := l.read()
		yields := kinds[megakernel.EventYield] + l.reader.LostKinds()[megakernel.EventYield]
		if now := l.s.Settings(); now.LogSampling != 64 || yields == 0 || yields > 2000/64*3 {
			t.Errorf("1 in %d passes is logged, %d of 2000 yields", now.LogSampling, yields)
		}
	})
}
