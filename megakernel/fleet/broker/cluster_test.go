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
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel/fleet"
)

// patience bounds what a test waits for.
const patience = time.Minute

// authority signs certificates of servers.
type authority struct {
	t    *testing.T
	file string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{t: t, file: filepath.Join(t.TempDir(), "ca.pem"), key: key, cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return a
}

// sign makes a certificate of a server, valid until then, for those uses.
func (a *authority) sign(name string, until time.Time, uses ...x509.ExtKeyUsage) (cert, key string) {
	a.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: uses,
	}, a.cert, &private.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	dir := a.t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(a.t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(a.t, key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))
	return cert, key
}

var bothUses = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}

// member are the options of a server of a cluster that listens at cluster.
func (a *authority) member(name, cluster string, peers ...string) Options {
	cert, key := a.sign(name, time.Now().Add(time.Hour), bothUses...)
	return Options{Listen: "127.0.0.1:0", Name: name, Cert: cert, Key: key, Cluster: cluster, ClusterCA: a.file, Peers: peers}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestServersOfAClusterProveThemselves: what is published at one reaches the clients of the other, by TLS.
func TestServersOfAClusterProveThemselves(t *testing.T) {
	a, at := newAuthority(t), freePort(t)
	one, other := begin(t, a.member("one", at)), begin(t, a.member("other", "127.0.0.1:0", at))
	from, err := fleet.Connect(fleet.Address{URL: one.URL(), CA: a.file}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(from.Close)
	to, err := fleet.Connect(fleet.Address{URL: other.URL(), CA: a.file}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(to.Close)
	s, err := to.SubscribeSync("x")
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); ; {
		if err := from.Publish("x", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.NextMsg(100 * time.Millisecond); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the servers have not found each other")
		}
	}
}

// TestServersThatAClusterRefuses: one says why, and nothing is let in.
func TestServersThatAClusterRefuses(t *testing.T) {
	a, foreign := newAuthority(t), newAuthority(t)
	for name, tt := range map[string]struct {
		change func(o *Options)
		want   string
	}{
		"another authority":      {func(o *Options) { *o = foreign.member("other", "127.0.0.1:0", o.Peers...) }, "certificate"},
		"no TLS between servers": {func(o *Options) { o.ClusterCA = "" }, "no TLS"},
	} {
		t.Run(name, func(t *testing.T) {
			at, trouble := freePort(t), make(chan error, 100)
			o := a.member("one", at)
			o.Trouble = func(err error) { trouble <- err }
			one := begin(t, o)
			o = a.member("other", "127.0.0.1:0", at)
			tt.change(&o)
			begin(t, o)
			said(t, one, trouble, tt.want)
		})
	}
}

// said waits for what a server says of another one, which it has not let in.
func said(t *testing.T, b *Broker, trouble <-chan error, want string) {
	t.Helper()
	select {
	case err := <-trouble:
		if !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%v, want %q", err, want)
		}
	case <-time.After(patience):
		t.Fatal("nothing is said")
	}
	if n := b.server.NumRoutes(); n > 0 {
		t.Errorf("%d servers were let in", n)
	}
}

// TestAServerWhoseCertificateHasExpired is not let in, and the others say so.
func TestAServerWhoseCertificateHasExpired(t *testing.T) {
	a, at, trouble := newAuthority(t), freePort(t), make(chan error, 100)
	until := time.Now().Add(2 * time.Second)
	o := a.member("other", "127.0.0.1:0", at)
	o.Cert, o.Key = a.sign("other", until, bothUses...)
	other, err := Start(o)
	if err != nil {
		t.Skip("it had expired before the server started: ", err)
	}
	t.Cleanup(other.Close)
	<-time.After(time.Until(until))
	o = a.member("one", at)
	o.Trouble = func(err error) { trouble <- err }
	said(t, begin(t, o), trouble, `server "other": its certificate has expired on`)
}

// TestCertificatesThatServersWouldRefuse are refused when the hub starts.
func TestCertificatesThatServersWouldRefuse(t *testing.T) {
	a, foreign := newAuthority(t), newAuthority(t)
	for name, change := range map[string]func(o *Options){
		"another authority": func(o *Options) { o.ClusterCA = foreign.file },
		"for servers only":  func(o *Options) { o.Cert, o.Key = a.sign("x", time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth) },
		"no certificate":    func(o *Options) { o.ClusterCA = o.Key },
	} {
		o := a.member("one", "127.0.0.1:0")
		change(&o)
		if _, err := Start(o); !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), "--cluster-ca") || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClientsOfAHubWhoseCertificateExpires are told that, and when.
func TestClientsOfAHubWhoseCertificateExpires(t *testing.T) {
	a := newAuthority(t)
	until := time.Now().Add(2 * time.Second)
	cert, key := a.sign("one", until, bothUses...)
	b, err := Start(Options{Listen: "127.0.0.1:0", Cert: cert, Key: key})
	if err != nil {
		t.Skip("it had expired before the hub started: ", err)
	}
	t.Cleanup(b.Close)
	for end := time.Now().Add(patience); ; {
		h, err := fleet.Connect(fleet.Address{URL: b.URL(), CA: a.file}, false)
		if err == nil {
			h.Close()
			if time.Now().After(end) {
				t.Fatal("it is let in")
			}
			continue
		}
		if !errors.Is(err, fleet.ErrHub) || !strings.Contains(err.Error(), "its certificate has expired on") || !strings.Contains(err.Error(), "renew") {
			t.Error(err)
		}
		return
	}
}

// TestAClientThatRefusesTheHub is not taken for another server.
func TestAClientThatRefusesTheHub(t *testing.T) {
	logged, trouble := make(chan string, 1000), make(chan error, 10)
	o := newAuthority(t).member("one", "127.0.0.1:0")
	o.Log, o.Trouble = func(text string) { logged <- text }, func(err error) { trouble <- err }
	b := begin(t, o)
	if _, err := fleet.Connect(fleet.Address{URL: b.URL(), CA: newAuthority(t).file}, false); !errors.Is(err, fleet.ErrHub) {
		t.Fatal(err)
	}
	for limit := time.After(patience); ; {
		select {
		case text := <-logged:
			if !strings.Contains(text, "TLS handshake error") {
				continue
			}
		case <-limit:
			t.Fatal("the server has not logged it")
		}
		break
	}
	if len(trouble) > 0 {
		t.Errorf("it is said to be a server: %v", <-trouble)
	}
}
