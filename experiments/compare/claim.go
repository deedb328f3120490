package compare

// Verdicts on a claim.
const (
	Supported    = "supported"
	NotSupported = "not supported"
	TooFewRuns   = "too few runs"
	NotTested    = "not tested" // the runs are there, but what is claimed has no bearing on their numbers
)

// Claim is something that the paper says, checked over records.
type Claim struct {
	Name     string   `json:"name"` // short, for reference: "gumbel-over-softmax"
	Text     string   `json:"text"` // what is claimed, and where
	Verdict  string   `json:"verdict"`
	Evidence []string `json:"evidence"` // numbers behind the verdict, a line each
}
