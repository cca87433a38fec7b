package broker

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/pelletier/go-toml/v2"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
)

// maxFile bounds the files of users and certificates, in bytes.
const maxFile = 1 << 20

// User is a user of a hub.
type User struct {
	Name     string `toml:"name"`
	Level    string `toml:"level,omitempty"`    // of remote.Rights; look where it is left out
	Runs     bool   `toml:"runs,omitempty"`     // it may announce runs, and carry out work
	Key      string `toml:"key,omitempty"`      // the public part of its nkey
	Password string `toml:"password,omitempty"` // a bcrypt hash of it, or the password; or Key
}

type usersFile struct {
	Users []User `toml:"user"`
}

// ReadUsers reads a file of users. Errors are ErrUsers and those of files.
func ReadUsers(file string) ([]User, error) {
	text, err := plainfile.Read(file, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", file, err, "write it with `vyretop hub user NAME --users "+file+"`")
	}
	f := usersFile{}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, &fault.Error{Kind: ErrUsers, Subject: file, Detail: err.Error(), Fix: "correct it; docs/fleet.md describes the file"}
	}
	if len(f.Users) == 0 {
		return nil, &fault.Error{Kind: ErrUsers, Subject: file, Detail: "there is no user in it", Fix: "write it with `vyretop hub user NAME --users " + file + "`"}
	}
	for i := range f.Users {
		if detail := f.Users[i].check(f.Users[:i]); detail != "" {
			return nil, &fault.Error{Kind: ErrUsers, Subject: fmt.Sprintf("%s: user %q", file, f.Users[i].Name), Detail: detail, Fix: "correct it; docs/fleet.md describes the file"}
		}
	}
	return f.Users, nil
}

// check says what is wrong with a user beside those before it.
func (u *User) check(before []User) string {
	if u.Level == "" {
		u.Level = remote.Look.String()
	}
	_, known := remote.ParseRights(u.Level)
	switch {
	case u.Name == "" || fleet.Token(u.Name) != u.Name:
		return "a name consists of letters, digits, - and _, at most 64"
	case u.Name == fleet.Anyone:
		return "this name is that of users without one"
	case !known:
		return fmt.Sprintf("unknown level %q: it is look, steer or administer", u.Level)
	case (u.Key == "") == (u.Password == ""):
		return "it needs either a key or a password"
	case u.Key != "" && !nkeys.IsValidPublicUserKey(u.Key):
		return "its key is not the public part of a user's nkey"
	case slices.ContainsFunc(before, func(o User) bool { return o.Name == u.Name }):
		return "there are two of this name"
	}
	return ""
}

// AddUser adds a user to a file, which is made where it is missing, in place of one of its name.
func AddUser(file string, u User) error {
	f := usersFile{}
	if _, err := os.Stat(file); err == nil {
		list, err := ReadUsers(file)
		if err != nil {
			return err
		}
		f.Users = slices.DeleteFunc(list, func(o User) bool { return o.Name == u.Name })
	}
	if err := CheckUser(u); err != nil {
		return err
	}
	f.Users = append(f.Users, u)
	err := plainfile.Replace(file, 0o600, func(w io.Writer) error { return toml.NewEncoder(w).Encode(f) })
	if err != nil {
		return plainfile.Failure("write", file, err, plainfile.Fix(err))
	}
	return nil
}

// AddUserWithKey draws a key for a user and writes both files. The key is written first, to a new file: a user without one could not
// be let in.
func AddUserWithKey(users, file string, u User) error {
	text, public, err := fleet.NewKey(u.Name)
	if err != nil {
		return err
	}
	u.Key = public
	if err := CheckUser(u); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // never over the key of another user
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return plainfile.Failure("write", file, err, "name a new file with --key")
	}
	return AddUser(users, u)
}

// CheckUser finds what is wrong with a user. Errors are ErrUsers.
func CheckUser(u User) error {
	if detail := u.check(nil); detail != "" {
		return &fault.Error{Kind: ErrUsers, Subject: fmt.Sprintf("user %q", u.Name), Detail: detail, Fix: "correct the flags"}
	}
	return nil
}

// accounts are the users as the server knows them.
func (o *Options) accounts() (users []*server.User, keys []*server.NkeyUser) {
	for _, u := range o.Users {
		level, _ := remote.ParseRights(u.Level) // checked
		publish, subscribe := fleet.Allowed(u.Name, level, u.Runs)
		p := &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
		if u.Key != "" {
			keys = append(keys, &server.NkeyUser{Nkey: u.Key, Permissions: p})
		} else {
			users = append(users, &server.User{Username: u.Name, Password: u.Password, Permissions: p})
		}
	}
	if len(o.Users) > 0 {
		users = append(users, &server.User{Username: ownUser, Password: rand.Text(), Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: []string{"$JS.API.>"}}, Subscribe: &server.SubjectPermission{Allow: []string{fleet.InboxPrefix(ownUser) + ".>"}},
		}})
	}
	return users, keys
}

// ownUser is the hub's own user, with a password of this process; no user of a file can have its name.
const ownUser = "vyretop.hub"
