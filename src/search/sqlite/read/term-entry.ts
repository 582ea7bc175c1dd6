// The entry of a term in the inverted index.

import type { DatabaseSync } from 'node:sqlite'
import { FIELDS, TERM_PATTERN, type TermEntry } from '../../../ports/search.ts'

/** Limit on the scanned positions of a common term. */
const MAX_PLACES = 100_000

export function readTermEntry(db: DatabaseSync, term: string, limit: number): TermEntry | null {
  if (!TERM_PATTERN.test(term)) return null
  const row = db.prepare('select doc from term_rows where term = ?').get(term)
  const documentFrequency = Number(row?.['doc'] ?? 0)
  if (documentFrequency === 0) return null
  const places = new Map<number, { frequency: number; positions: Record<string, number[]> }>()
  const statement = db.prepare('select doc, col, offset from term_places where term = ? limit ?')
  for (const { doc, col, offset } of statement.iterate(term, MAX_PLACES)) {
    const id = Number(doc)
    let entry = places.get(id)
    if (entry === undefined) {
      entry = { frequency: 0, positions: {} }
      places.set(id, entry)
    }
    entry.frequency += 1
    const field = String(col)
    const positions = entry.positions[field] ?? []
    positions.push(Number(offset))
    entry.positions[field] = positions
  }
  const best = [...places].sort(([a, x], [b, y]) => y.frequency - x.frequency || a - b).slice(0, limit)
  const urlOf = db.prepare('select url from documents where page_id = ?')
  const entries = best.map(([pageId, { frequency, positions }]) => {
    const inOrder = FIELDS.flatMap((field) => (positions[field] === undefined ? [] : [[field, positions[field]]]))
    return { pageId, url: String(urlOf.get(pageId)?.['url']), frequency, positions: Object.fromEntries(inOrder) }
  })
  const documents = Number(db.prepare('select count(*) as n from documents').get()?.['n'])
  return { term, documentFrequency, documents, entries }
}
