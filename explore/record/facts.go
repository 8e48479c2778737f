package record

// Facts is what the analyses know of the actors of a package. The command adds it to the record.
type Facts struct {
	Action  string // "facts"
	Package string
	Reason  string  `json:",omitempty"` // why nothing is known; empty: Actors are all
	Actors  []Actor `json:",omitempty"`
}

// Actor is a goroutine that loops over messages.
type Actor struct {
	Name, Package string
	Site          Site // of its function
	Family        bool `json:",omitempty"` // there may be many of it
	Mailboxes     []Mailbox
	Handlers      []Handler
	Pairs         []Pair `json:",omitempty"` // of handlers
}

// Mailbox is a channel that an actor receives from.
type Mailbox struct {
	Name, Kind, Elem, Capacity string
	Makes                      []Site   `json:",omitempty"`
	Receives                   []Site   `json:",omitempty"`
	Senders                    []Sender `json:",omitempty"`
}

// Sender is a place that sends to a mailbox, or closes it.
type Sender struct {
	Site  Site
	In    string // the function around it
	Kinds []string
	Close bool `json:",omitempty"`
}

// Handler is what an actor does with messages of one kind.
type Handler struct {
	Name string
	Site Site
}

// The verdicts on a pair of handlers.
const (
	Commute   = "commute"
	When      = "when" // they commute on a condition
	Dependent = "dependent"
	Unknown   = "unknown" // one of them does what the analysis does not know
)

// Pair says whether tasks of two handlers commute, with Go's channels.
type Pair struct {
	First, Second int // indices into Actor.Handlers
	Verdict, Why  string
	Commuting     []string   `json:",omitempty"` // what both change, in any order
	Conflicts     []Conflict `json:",omitempty"`
}

// Conflict is a reason why a pair does not commute.
type Conflict struct {
	Kind, What    string
	First, Second Site
	Unless        string `json:",omitempty"` // the condition on which it is none
}
