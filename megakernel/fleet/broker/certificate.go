package broker

import (
	"crypto/tls"
	"crypto/x509"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

// certificate reads a certificate and its key.
func certificate(cert, key string) (*tls.Config, error) {
	invalid := func(detail string, cause error) error {
		return &fault.Error{Kind: ErrCertificate, Subject: cert, Detail: detail, Cause: cause, Fix: "name a certificate that is valid now, and its key, in PEM form, with --tls-cert and --tls-key"}
	}
	text, err := plainfile.Read(cert, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", cert, err, "name a file in PEM form with --tls-cert")
	}
	secret, err := plainfile.Read(key, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", key, err, "name a file in PEM form with --tls-key")
	}
	pair, err := tls.X509KeyPair(text, secret)
	if err != nil {
		return nil, invalid("", err)
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	switch {
	case err != nil:
		return nil, invalid("", err)
	case time.Now().After(leaf.NotAfter):
		return nil, invalid("it has expired on "+leaf.NotAfter.Format(time.DateOnly), nil)
	case time.Now().Before(leaf.NotBefore):
		return nil, invalid("it is not valid before "+leaf.NotBefore.Format(time.DateTime), nil)
	}
	pair.Leaf = leaf
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// mutual is how the servers of a cluster prove themselves to each other, in both directions: each by the certificate that clients see, which
// one of those in a file signs.
func mutual(own *tls.Config, file string) (*tls.Config, error) {
	text, err := plainfile.Read(file, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", file, err, "name a file with certificates in PEM form with --cluster-ca")
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, &fault.Error{Kind: ErrCertificate, Subject: file, Detail: "there is no certificate in it", Fix: "name a file with certificates in PEM form with --cluster-ca"}
	}
	for _, use := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		if err := verify(&own.Certificates[0], pool, use); err != nil {
			return nil, &fault.Error{Kind: ErrCertificate, Subject: "--tls-cert", Detail: "other servers of the cluster would refuse it", Cause: err, Fix: "use a certificate that one in --cluster-ca signs, for servers and clients"}
		}
	}
	return &tls.Config{
		Certificates: own.Certificates, RootCAs: pool, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12,
	}, nil
}

// verify checks that a certificate is signed by one of a pool, for a use.
func verify(pair *tls.Certificate, pool *x509.CertPool, use x509.ExtKeyUsage) error {
	between := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		if c, err := x509.ParseCertificate(der); err == nil {
			between.AddCert(c)
		}
	}
	_, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: pool, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{use}})
	return err
}
