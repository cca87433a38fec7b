package fleet

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

// maxKeyFile bounds files of keys and certificates, in bytes.
const maxKeyFile = 1 << 20

// NewKey draws the key of a user. Text is what its file holds, public what the hub knows.
func NewKey(user string) (text []byte, public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, "", err
	}
	defer pair.Wipe()
	seed, err := pair.Seed()
	if err != nil {
		return nil, "", err
	}
	public, err = pair.PublicKey()
	return fmt.Appendf(nil, "# key of a vyretop user: keep it secret\nuser %s\n%s\n", user, seed), public, err
}

// readKey reads the file of a key.
func readKey(file string) (user string, key nats.Option, err error) {
	invalid := func(detail string) error {
		return &fault.Error{Kind: ErrAddress, Subject: file, Detail: detail, Fix: "name a file that `vyretop hub user NAME` has written"}
	}
	text, err := plainfile.Read(file, maxKeyFile)
	if err != nil {
		return "", nil, plainfile.Failure("read", file, err, "name a file that `vyretop hub user NAME` has written")
	}
	var seed []byte
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		name, named := strings.CutPrefix(line, "user ")
		switch {
		case named:
			user = strings.TrimSpace(name)
		case strings.HasPrefix(line, "SU"):
			seed = []byte(line)
		}
	}
	if user == "" || user != Token(user) {
		return "", nil, invalid("it names no user")
	}
	pair, err := nkeys.FromSeed(seed)
	if err != nil {
		return "", nil, invalid("there is no key of a user in it")
	}
	public, err := pair.PublicKey()
	if err != nil {
		return "", nil, invalid("there is no key of a user in it")
	}
	return user, nats.Nkey(public, pair.Sign), nil
}
