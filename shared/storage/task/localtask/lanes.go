package localtask

import "slices"

// lanes hold the jobs that are due, a lane for each kind. Kinds take turns, and within
// a kind its owners do, so that a thousand jobs of one owner hold back nobody else's.
type lanes struct {
	kinds   []string // in the order of their turns
	lanes   map[string]*lane
	running map[string]int    // by kind
	waiting map[laneOwner]int // jobs that were not taken, due or not
}

type laneOwner struct{ kind, owner string }

// lane is the jobs of a kind.
type lane struct {
	owners []string // with jobs, in the order of their turns
	jobs   map[string][]*entry
}

func newLanes() lanes {
	return lanes{lanes: map[string]*lane{}, running: map[string]int{}, waiting: map[laneOwner]int{}}
}

// wait counts a job that was added.
func (l *lanes) wait(e *entry) { l.waiting[laneOwner{e.Kind, e.Owner}]++ }

// due puts a job that is due at the end of its owner's.
func (l *lanes) due(e *entry) {
	of := l.lanes[e.Kind]
	if of == nil {
		of = &lane{jobs: map[string][]*entry{}}
		l.lanes[e.Kind] = of
		l.kinds = append(l.kinds, e.Kind)
	}
	if len(of.jobs[e.Owner]) == 0 {
		of.owners = append(of.owners, e.Owner)
	}
	of.jobs[e.Owner] = append(of.jobs[e.Owner], e)
}

// next takes the job whose turn it is; nil when none may run.
func (l *lanes) next() *entry {
	for i, kind := range l.kinds {
		of := l.lanes[kind]
		if len(of.owners) == 0 || l.running[kind] >= perKind {
			continue
		}
		l.kinds = append(slices.Delete(l.kinds, i, i+1), kind)
		owner := of.owners[0]
		e := of.jobs[owner][0]
		of.owners = of.owners[1:]
		if rest := of.jobs[owner][1:]; len(rest) > 0 {
			of.jobs[owner] = rest
			of.owners = append(of.owners, owner)
		} else {
			delete(of.jobs, owner)
		}
		l.running[kind]++
		at := laneOwner{kind, owner}
		if l.waiting[at]--; l.waiting[at] == 0 {
			delete(l.waiting, at)
		}
		return e
	}
	return nil
}
