package broker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel/fleet"
)

// hubOf is a hub with the users of a file, and what looks at the file.
func hubOf(t *testing.T, o Options, text string) (b *Broker, f *follower) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hub.toml")
	write(t, file, []byte(text))
	list, err := ReadUsers(file)
	if err != nil {
		t.Fatal(err)
	}
	o.Users = list
	b = begin(t, o)
	return b, &follower{broker: b, file: file}
}

// changed writes the file and looks at it until the change counts.
func (f *follower) changed(t *testing.T, text string) error {
	t.Helper()
	write(t, f.file, []byte(text))
	if changed, err := f.look(); changed {
		t.Errorf("a file that may be half written counts: %v", err)
	}
	changed, err := f.look()
	if !changed {
		t.Errorf("the change is not noticed: %q", text)
	}
	if changed, err := f.look(); changed {
		t.Errorf("it counts twice: %v", err)
	}
	return err
}

// with is the address of a hub for a user.
func with(b *Broker, user string) fleet.Address {
	return fleet.Address{URL: strings.Replace(b.URL(), "://", "://"+user+":"+user+"@", 1)}
}

func lets(t *testing.T, b *Broker, user string) bool {
	t.Helper()
	h, err := fleet.Connect(with(b, user), false)
	if err != nil {
		if !errors.Is(err, fleet.ErrHub) || !strings.Contains(err.Error(), "does not let this user in") {
			t.Error(err)
		}
		return false
	}
	h.Close()
	return true
}

const (
	anna = "[[user]]\nname = \"anna\"\npassword = \"anna\"\n"
	ben  = "[[user]]\nname = \"ben\"\npassword = \"ben\"\n"
)

// TestARunningHubTakesChangedUsers: it knew those of its start only. One who is removed is disconnected, the others stay.
func TestARunningHubTakesChangedUsers(t *testing.T) {
	b, f := hubOf(t, Options{Listen: "127.0.0.1:0", Store: t.TempDir()}, anna+ben)
	told := make(chan error, 100)
	a := with(b, "anna")
	a.Told = func(err error) { told <- err }
	h, err := fleet.Connect(a, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	stays, err := fleet.Connect(with(b, "ben"), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stays.Close)
	for range 2 {
		if changed, err := f.look(); changed {
			t.Errorf("the file of the start counts as a change: %v", err)
		}
	}
	if err := f.changed(t, ben+strings.ReplaceAll(anna, "anna", "carl")); err != nil {
		t.Fatal(err)
	}
	for limit := time.After(patience); ; {
		select {
		case err := <-told:
			if err == nil || !strings.Contains(err.Error(), "does not let this user in") {
				continue
			}
		case <-limit:
			t.Fatal("one who was removed is not told")
		}
		break
	}
	if lets(t, b, "anna") || !lets(t, b, "ben") || !lets(t, b, "carl") {
		t.Error("others are let in than those of the file")
	}
	if err := stays.Flush(); err != nil || stays.Stats().Reconnects > 0 {
		t.Errorf("one who stays was disconnected: %v", err)
	}
	if err := b.KeepAudit(t.Context()); err != nil {
		t.Errorf("the hub itself is not let in: %v", err)
	}
}

// TestFilesThatCannotBeUsed leave the users of before, and say why; a file that is mended counts again.
func TestFilesThatCannotBeUsed(t *testing.T) {
	b, f := hubOf(t, Options{Listen: "127.0.0.1:0"}, anna)
	for _, text := range []string{"", "[[user", anna + anna, "[[user]]\nname = \"carl\"\n"} {
		if err := f.changed(t, text); !errors.Is(err, ErrUsers) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%q: %v", text, err)
		}
		if !lets(t, b, "anna") {
			t.Errorf("%q: the users of before are gone", text)
		}
	}
	if err := f.changed(t, anna); err != nil {
		t.Error(err)
	}
	if err := os.Remove(f.file); err != nil {
		t.Fatal(err)
	}
	_, _ = f.look()
	if changed, err := f.look(); !changed || err == nil || !strings.Contains(err.Error(), "Fix:") || !lets(t, b, "anna") {
		t.Errorf("a file that is gone: %v, %v", changed, err)
	}
}

// TestPasswordsStayOutOfTheClear also for users that come later.
func TestPasswordsStayOutOfTheClear(t *testing.T) {
	_, public, err := fleet.NewKey("anna")
	if err != nil {
		t.Fatal(err)
	}
	_, f := hubOf(t, Options{Listen: "0.0.0.0:0"}, "[[user]]\nname = \"anna\"\nkey = \""+public+"\"\n")
	if err := f.changed(t, ben); !errors.Is(err, ErrListen) || !strings.Contains(err.Error(), "in the clear") {
		t.Error(err)
	}
}

// TestAHubFollowsItsUsers until its context ends.
func TestAHubFollowsItsUsers(t *testing.T) {
	b, f := hubOf(t, Options{Listen: "127.0.0.1:0"}, anna)
	ctx, cancel := context.WithCancel(t.Context())
	told, ended := make(chan int), make(chan struct{})
	go func() {
		defer close(ended)
		b.FollowUsers(ctx, f.file, func(users int, err error) {
			if err != nil {
				t.Error(err)
			}
			told <- users
		})
	}()
	write(t, f.file, []byte(anna+ben))
	select {
	case users := <-told:
		if users != 2 || !lets(t, b, "ben") {
			t.Errorf("%d users are let in", users)
		}
	case <-time.After(patience):
		t.Error("the change is not noticed")
	}
	cancel()
	<-ended
}

// TestUsersAreChangedAndRemoved in their file; what cannot be is refused.
func TestUsersAreChangedAndRemoved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hub.toml")
	write(t, file, []byte(anna+ben))
	if err := ChangeUser(file, User{Name: "anna", Level: "steer", Runs: true}); err != nil {
		t.Fatal(err)
	}
	list, err := ReadUsers(file)
	if err != nil || len(list) != 2 || list[0] != (User{Name: "anna", Level: "steer", Runs: true, Password: "anna"}) {
		t.Errorf("%+v, %v", list, err)
	}
	for name, err := range map[string]error{
		"change": ChangeUser(file, User{Name: "anne", Level: "steer"}), "level": ChangeUser(file, User{Name: "anna", Level: "god"}), "remove": RemoveUser(file, "carl"),
		"missing": RemoveUser(file+"x", "anna"),
	} {
		if err == nil || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := RemoveUser(file, "ben"); err != nil {
		t.Fatal(err)
	}
	if err := RemoveUser(file, "anna"); !errors.Is(err, ErrUsers) || !strings.Contains(err.Error(), "the only one") {
		t.Error(err)
	}
	if list, err := ReadUsers(file); err != nil || len(list) != 1 || list[0].Name != "anna" {
		t.Errorf("%+v, %v", list, err)
	}
}
