package reckon

import (
	"strings"

	"lectern/shared/chat/model/extractive/sheet"
)

// mostCells is how many cells of a rota are told beside its row.
const mostCells = 4

// cells tells what stands in a rota for what a question names, or on which days something does.
func (i inquiry) cells(q query, values [][]any, a *sheet.Answer) {
	column := len(values[0]) - 1
	switch {
	case a.Decides || len(values) > mostCells:
		return
	case !strings.Contains(q.where, cellOf) && strings.Contains(q.where, dayOf):
	case whatDay.In(i.question):
		column-- // the day
	default:
		return
	}
	list := make([][]any, len(values))
	for k, row := range values {
		list[k] = row[column : column+1]
	}
	a.Value = i.listed(list, q)
}

// listed tells the one value of each of some rows of a result.
func (i inquiry) listed(values [][]any, q query) string {
	var texts []string
	for _, v := range values {
		if text := i.shown(v, q); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}
