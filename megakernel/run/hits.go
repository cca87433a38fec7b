package run

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
)

// hitSaver saves the snapshots in which breakpoints that ask for it are hit. Only the run does, which makes one
// file for a hit however many dashboards look at it; they learn of the file by an event.
type hitSaver struct {
	hub    *live.Hub
	save   func(s *megakernel.Snapshot, log []megakernel.LogRecord, why string) (file string, err error)
	saves  breakpoint.Saves
	report []string
	more   int // lines that the report has no room for
}

// reportedHits is how many saved snapshots a run lists at its end.
const reportedHits = 20

// savedRecords is how much of the debug log a saved snapshot has.
const savedRecords = 8192

const errNoState fault.Kind = "no folder for saved snapshots. Fix: set XDG_STATE_HOME or HOME"

// SaveHits saves snapshots in which breakpoints are hit, until the returned function is called, which says what became of
// them. A nil save can save nothing.
func (r *Run) SaveHits(save func(s *megakernel.Snapshot, log []megakernel.LogRecord, why string) (file string, err error)) (stop func() []string) {
	s := &hitSaver{hub: r.hub, save: save}
	sub := s.hub.Subscribe(1)
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for more := true; more; {
			select {
			case _, more = <-sub.Snapshots():
			case <-stopped:
				more = false
			}
			s.look(s.hub.Snapshot())
		}
	}()
	return func() []string {
		sub.Close()
		close(stopped)
		<-done
		if s.more > 0 {
			s.report = append(s.report, fmt.Sprintf("breakpoints were hit %d times more; vyretop events has all of them while it runs, and of its recording", s.more))
		}
		return s.report
	}
}

// look saves a snapshot if a breakpoint was hit since the last one.
func (s *hitSaver) look(snap *megakernel.Snapshot) {
	why := s.saves.Due(s.hub.Breakpoints())
	if why == "" || snap == nil {
		return
	}
	file, err := "", error(errNoState)
	if s.save != nil {
		first := uint64(snap.LogCursor) - min(uint64(snap.LogCursor), savedRecords)
		file, err = s.save(snap, s.hub.Log(first, savedRecords), why)
	}
	if err != nil {
		s.tell(fmt.Sprintf("%s; snapshot not saved: %v", why, err))
		s.hub.Event("error", "snapshot not saved: "+err.Error())
		return
	}
	s.tell(why + "; saved as " + file)
	s.hub.Event(megakernel.EventSaved, file)
}

func (s *hitSaver) tell(line string) {
	if len(s.report) == reportedHits {
		s.more++
		return
	}
	s.report = append(s.report, line)
}
