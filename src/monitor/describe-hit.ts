// A hit in one line, for lists, feeds and the command line.

import type { Evidence } from '../ports/monitors.ts'

const MAX_SHOWN = 200

export function describeEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'passages': {
      const more = evidence.matches > 1 ? ` (${evidence.matches} matches)` : ''
      return `${shorten(evidence.passages[0]?.text ?? '')}${more}`
    }
    case 'value':
      return `${quote(evidence.before)} → ${quote(evidence.after)}`
    case 'copies': {
      const [first] = evidence.copies
      if (first === undefined) return `${evidence.matches} copied passages`
      const more = evidence.matches > 1 ? `, and ${evidence.matches - 1} more` : ''
      return `${first.words} words, ${first.same} of them the same as in ${quote(first.title)}${more}`
    }
  }
}

function quote(text: string | null): string {
  return text === null ? 'nothing' : `"${shorten(text)}"`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN - 1)}…`
}
