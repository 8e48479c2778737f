package report

import "github.com/rehearse-go/rehearse/explore/words"

// Model implements Reporter: one line, and with -v one more for each place where mailboxes are
// made.
func (t *Text) Model(name string, mailboxes []string) {
	if len(mailboxes) == 0 {
		t.printf(
			"model %s: no channel is known to be a mailbox, so all stay Go's; mark the makes of mailboxes with //rehearse:mailbox\n",
			name)
		return
	}
	order := "in any order"
	if name == "pairs" {
		order = "in any order, but those of one sender as they were sent"
	}
	t.printf("model %s: channels that are made at %s deliver %s; the others stay Go's\n", name,
		words.Plural(len(mailboxes), "place"), order)
	for _, m := range mailboxes {
		if t.Verbose {
			t.printf("    %s\n", m)
		}
	}
}

type jsonModel struct {
	head
	Model     string
	Mailboxes []string
}

// Model implements Reporter.
func (j *JSON) Model(name string, mailboxes []string) {
	j.write(jsonModel{j.head("model", ""), name, append([]string{}, mailboxes...)})
}
