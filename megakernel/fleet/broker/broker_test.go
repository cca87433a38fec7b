package broker

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/megakernel/fleet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// certificateOf writes a certificate of 127.0.0.1 that signs itself, valid between two times.
func certificateOf(t *testing.T, from, to time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hub"}, NotBefore: from, NotAfter: to, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))
	return cert, key
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T, o Options) *Broker {
	t.Helper()
	b, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// TestAHubForOtherMachinesNeedsUsers, and TLS where they have passwords.
func TestAHubForOtherMachinesNeedsUsers(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"no users":      {Options{Listen: "0.0.0.0:0"}, "vyretop hub user"},
		"no host":       {Options{Listen: ":4222"}, "HOST:PORT"},
		"no port":       {Options{Listen: "127.0.0.1"}, "HOST:PORT"},
		"any IPv6":      {Options{Listen: "[::]:0"}, "vyretop hub user"},
		"passwords":     {Options{Listen: "0.0.0.0:0", Users: []User{{Name: "anna", Password: "x"}}}, "--tls-cert"},
		"nameless peer": {Options{Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0"}, "--name"},
		"cluster":       {Options{Listen: "127.0.0.1:0", Name: "a", Cluster: "0.0.0.0:0", Users: []User{{Name: "anna", Password: "x"}}}, "--cluster-ca"},
		"open cluster":  {Options{Listen: "127.0.0.1:0", Name: "a", Cluster: "0.0.0.0:0"}, "--cluster-ca"},
		"no cluster":    {Options{Listen: "127.0.0.1:0", ClusterCA: "ca.pem"}, "--cluster"},
		"unproven":      {Options{Listen: "127.0.0.1:0", Name: "a", Cluster: "127.0.0.1:0", ClusterCA: "ca.pem"}, "--tls-cert"},
	} {
		if _, err := Start(tt.o); !errors.Is(err, ErrListen) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAPortThatIsTaken is an error, and not a wait without end.
func TestAPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Start(Options{Listen: l.Addr().String()}); !errors.Is(err, ErrListen) {
		t.Error(err)
	}
}

// TestCertificates: a valid one is used, and clients must know who signed it; others are refused when the hub starts.
func TestCertificates(t *testing.T) {
	now := time.Now()
	cert, key := certificateOf(t, now.Add(-time.Hour), now.Add(time.Hour))
	b := begin(t, Options{Listen: "127.0.0.1:0", Cert: cert, Key: key})
	if !strings.HasPrefix(b.URL(), "tls://") {
		t.Errorf("URL is %s", b.URL())
	}
	h, err := fleet.Connect(fleet.Address{URL: b.URL(), CA: cert}, false)
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	if _, err := fleet.Connect(fleet.Address{URL: b.URL()}, false); !errors.Is(err, fleet.ErrHub) || !strings.Contains(err.Error(), "--hub-ca") {
		t.Errorf("a certificate that is not known: %v", err)
	}
	for name, times := range map[string][2]time.Duration{"it has expired": {-2 * time.Hour, -time.Hour}, "it is not valid before": {time.Hour, 2 * time.Hour}} {
		cert, key := certificateOf(t, now.Add(times[0]), now.Add(times[1]))
		if _, err := Start(Options{Listen: "127.0.0.1:0", Cert: cert, Key: key}); !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Start(Options{Listen: "127.0.0.1:0", Cert: key, Key: key}); !errors.Is(err, ErrCertificate) {
		t.Errorf("a key as certificate: %v", err)
	}
}

// TestKeys: a user that was added to the file is let in with its key, and one with another key is not.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	file, secret, other := filepath.Join(dir, "hub.toml"), filepath.Join(dir, "anna.nk"), filepath.Join(dir, "other.nk")
	for name, to := range map[string]string{"anna": secret, "ben": filepath.Join(dir, "ben.nk")} {
		text, public, err := fleet.NewKey(name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, to, text)
		if err := AddUser(file, User{Name: name, Key: public, Level: "steer"}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := ReadUsers(file)
	if err != nil || len(list) != 2 {
		t.Fatalf("users are %+v, %v", list, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of users is %v, %v", info.Mode(), err)
	}
	b := begin(t, Options{Listen: "127.0.0.1:0", Users: list})
	h, err := fleet.Connect(fleet.Address{URL: b.URL(), Key: secret}, false)
	if err != nil || h.User != "anna" {
		t.Fatalf("anna: %v", err)
	}
	h.Close()
	text, _, err := fleet.NewKey("anna")
	if err != nil {
		t.Fatal(err)
	}
	write(t, other, text)
	for _, a := range []fleet.Address{{URL: b.URL(), Key: other}, {URL: b.URL()}} {
		if _, err := fleet.Connect(a, false); !errors.Is(err, fleet.ErrHub) || !strings.Contains(err.Error(), "does not let this user in") {
			t.Errorf("another key: %v", err)
		}
	}
}

// TestFilesOfUsersThatAreWrong say which user, and what.
func TestFilesOfUsersThatAreWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hub.toml")
	for text, want := range map[string]string{
		"":                                    "no user",
		"[[user]]\nname = \"a b\"":            "letters, digits",
		"[[user]]\nname = \"anyone\"":         "users without one",
		"[[user]]\nname = \"a\"":              "either a key or a password",
		"[[user]]\nname = \"a\"\nkey = \"U\"": "not the public part",
		"[[user]]\nname = \"a\"\npassword = \"p\"\nlevel = \"god\"":                          "unknown level",
		"[[user]]\nname = \"a\"\npassword = \"p\"\n[[user]]\nname = \"a\"\npassword = \"p\"": "two of this name",
		"[[user]]\nname = \"a\"\ncolor = \"red\"":                                            "strict mode",
		"[[user": "",
	} {
		write(t, file, []byte(text))
		if _, err := ReadUsers(file); !errors.Is(err, ErrUsers) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ReadUsers(filepath.Join(t.TempDir(), "missing")); err == nil || !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestFilesOfKeysThatAreWrong say what to name instead.
func TestFilesOfKeysThatAreWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.nk")
	b := begin(t, Options{Listen: "127.0.0.1:0"})
	for _, text := range []string{"", "user a\n", "user a b\nSU", "user a\nSUAGUESS\n"} {
		write(t, file, []byte(text))
		if _, err := fleet.Connect(fleet.Address{URL: b.URL(), Key: file}, false); !errors.Is(err, fleet.ErrAddress) || !strings.Contains(err.Error(), "vyretop hub user") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAddressesThatAreWrong are refused before anything is tried, and show no password.
func TestAddressesThatAreWrong(t *testing.T) {
	for _, url := range []string{"http://a", "nats://", "nats://a:b:c", "nats://anna:secret@", "://"} {
		if _, err := fleet.Connect(fleet.Address{URL: url}, false); !errors.Is(err, fleet.ErrAddress) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
	if got, err := fleet.Check("node1, tls://node2:5000/x"); err != nil || got != "nats://node1:4222,tls://node2:5000" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAHubKeepsTheAudit also with users and TLS, which this process does not need for itself. Its own user was refused a question about
// itself, and waited five seconds for the answer.
func TestAHubKeepsTheAudit(t *testing.T) {
	var violations atomic.Int32
	log := func(text string) {
		if strings.Contains(text, "Violation") {
			violations.Add(1)
		}
	}
	cert, key := certificateOf(t, time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	b := begin(t, Options{Listen: "127.0.0.1:0", Store: t.TempDir(), Cert: cert, Key: key, Users: []User{{Name: "anna", Password: "x"}}, Log: log})
	if err := b.KeepAudit(t.Context()); err != nil || violations.Load() > 0 {
		t.Errorf("%v, %d times refused", err, violations.Load())
	}
	without := begin(t, Options{Listen: "127.0.0.1:0"})
	if err := without.KeepAudit(t.Context()); !errors.Is(err, fleet.ErrAudit) {
		t.Errorf("without a store: %v", err)
	}
}

// TestHubsThatStartTogetherOnOneFolder: exactly one of them has it.
func TestHubsThatStartTogetherOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	for range 100 {
		var claims [4]*os.File
		var all sync.WaitGroup
		for i := range claims {
			all.Go(func() { claims[i], _ = claimStore(dir) })
		}
		all.Wait()
		n := 0
		for _, f := range claims {
			if f != nil {
				n++
			}
			if err := closeStore(f); err != nil {
				t.Fatal(err)
			}
		}
		if n != 1 {
			t.Fatalf("%d hubs have the folder", n)
		}
	}
}

// TestTwoHubsOnOneFolder: the second one wrote over what the first one kept. A hub that has ended leaves the folder to the next one.
func TestTwoHubsOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	first := begin(t, Options{Listen: "127.0.0.1:0", Store: dir})
	if _, err := Start(Options{Listen: "127.0.0.1:0", Store: dir}); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "another hub uses this folder. Fix:") {
		t.Error(err)
	}
	first.Close()
	begin(t, Options{Listen: "127.0.0.1:0", Store: dir})
	file := filepath.Join(dir, "file")
	write(t, file, nil)
	if _, err := Start(Options{Listen: "127.0.0.1:0", Store: file}); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("a file: %v", err)
	}
}

// TestAHubNamesTheHostThatItWasGiven: it named the address of it, which the certificate may not have.
func TestAHubNamesTheHostThatItWasGiven(t *testing.T) {
	_, public, err := fleet.NewKey("anna")
	if err != nil {
		t.Fatal(err)
	}
	users := []User{{Name: "anna", Key: public}}
	for listen, want := range map[string]string{"localhost:0": "nats://localhost:", "127.0.0.1:0": "nats://127.0.0.1:", "0.0.0.0:0": "nats://" + hostname() + ":"} {
		b := begin(t, Options{Listen: listen, Users: users})
		if !strings.HasPrefix(b.URL(), want) || strings.HasSuffix(b.URL(), ":0") {
			t.Errorf("%s: %s", listen, b.URL())
		}
	}
}

// TestAStoreThatHadNoRoom: the server gives its streams up where it cannot write, which was not told, and they were gone until the hub
// was started again.
func TestAStoreThatHadNoRoom(t *testing.T) {
	trouble := make(chan error, 10)
	b := begin(t, Options{Listen: "127.0.0.1:0", Store: t.TempDir(), Trouble: func(err error) { trouble <- err }})
	if err := b.KeepAudit(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := newLogger(&b.o)
	log.Errorf("failed to store a msg on stream '%s': %v", "x", errors.New("input/output error")) // something else
	log.Errorf("failed to store a msg on stream '%s': %v", "x", &os.PathError{Op: "write", Path: "1.blk", Err: syscall.ENOSPC})
	select {
	case err := <-trouble:
		if !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "it has no room") || !strings.Contains(err.Error(), "Fix: make room there") {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("nothing is said")
	}
	h, err := fleet.Connect(fleet.Address{URL: b.URL()}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	for end := time.Now().Add(patience); ; {
		err := h.Audited(t.Context(), false, func(fleet.Entry) error { return nil })
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the audit is not there again: %v", err)
		}
	}
}
