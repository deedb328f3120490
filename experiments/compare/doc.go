// Package compare tests differences: of two sets of runs, pair by pair (Compare), and what the paper says of its methods (Claims).
package compare
