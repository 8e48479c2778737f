// Package maytest compares the verdicts of rehearse refine with those of an oracle that shares
// nothing with it: testdata/oracle.py, which knows actors as tables of rules. It has tests only.
package maytest
