package broker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return parseUsers(file, text)
}

func readFile(file string) ([]byte, error) {
	text, err := plainfile.Read(file, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", file, err, "write it with `vyretop hub user NAME --users "+file+"`")
	}
	return text, nil
}

// parseUsers reads the text of a file of users.
func parseUsers(file string, text []byte) ([]User, error) {
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
	var list []User
	if _, err := os.Stat(file); err == nil {
		if list, err = ReadUsers(file); err != nil {
			return err
		}
	}
	if err := CheckUser(u); err != nil {
		return err
	}
	return writeUsers(file, append(slices.DeleteFunc(list, func(o User) bool { return o.Name == u.Name }), u))
}

func writeUsers(file string, list []User) error {
	err := plainfile.Replace(file, 0o600, func(w io.Writer) error { return toml.NewEncoder(w).Encode(usersFile{list}) })
	if err != nil {
		return plainfile.Failure("write", file, err, plainfile.Fix(err))
	}
	return nil
}

// ChangeUser changes what a user of a file may do; its key or password stays.
func ChangeUser(file string, u User) error {
	list, at, err := findUser(file, u.Name)
	if err != nil {
		return err
	}
	u.Key, u.Password = list[at].Key, list[at].Password
	if err := CheckUser(u); err != nil {
		return err
	}
	list[at] = u
	return writeUsers(file, list)
}

// RemoveUser removes a user from a file.
func RemoveUser(file, name string) error {
	list, at, err := findUser(file, name)
	if err != nil {
		return err
	}
	if len(list) == 1 {
		return &fault.Error{Kind: ErrUsers, Subject: fmt.Sprintf("%s: user %q", file, name), Detail: "it is the only one, and a hub takes no file without users", Fix: "add another one first, or end the hub"}
	}
	return writeUsers(file, slices.Delete(list, at, at+1))
}

// findUser finds a user in a file.
func findUser(file, name string) (list []User, at int, err error) {
	if list, err = ReadUsers(file); err != nil {
		return nil, 0, err
	}
	if at = slices.IndexFunc(list, func(o User) bool { return o.Name == name }); at < 0 {
		names := make([]string, len(list))
		for i := range list {
			names[i] = list[i].Name
		}
		return nil, 0, &fault.Error{Kind: ErrUsers, Subject: fmt.Sprintf("%s: user %q", file, name), Detail: "there is no such user", Fix: fault.Suggest(name, names, "name one of "+strings.Join(names, ", "))}
	}
	return list, at, nil
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
		return plainfile.Failure("write", file, err, "name a new file with --key, or keep the key of the user with --keep-key")
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
		p := &server.Permissions{Publish: &server.SubjectPermission{Allow: publish, Deny: fleet.Denied()}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
		if u.Key != "" {
			keys = append(keys, &server.NkeyUser{Nkey: u.Key, Permissions: p})
		} else {
			users = append(users, &server.User{Username: u.Name, Password: u.Password, Permissions: p})
		}
	}
	if len(o.Users) > 0 {
		users = append(users, &server.User{Username: ownUser, Password: o.secret, Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: []string{"$JS.API.>", "$SYS.REQ.USER.INFO"}}, Subscribe: &server.SubjectPermission{Allow: []string{fleet.InboxPrefix(ownUser) + ".>"}},
		}})
	}
	return users, keys
}

// ownUser is the hub's own user, with a password of this process; no user of a file can have its name.
const ownUser = "vyretop.hub"
