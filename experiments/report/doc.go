// Package report makes a page of a store: tables, charts, claims and all runs (Build).
package report
