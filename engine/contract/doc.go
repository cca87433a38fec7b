// Package contract proves the backend contract: each of its rows is a test here, and each test runs on
// every backend. docs/conformance.md is generated from the table of rows; a test fails when it is stale,
// when a row has no test, or when a test belongs to no row.
package contract
