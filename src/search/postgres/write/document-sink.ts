// A search engine that stores the documents instead of the tables. The rows of `documents` then have no text and no
// terms, only what the feed needs to know. All calls are made in the transaction that changes the rows, while their
// URLs are locked: if it fails, its pages are handed out again, and written again.

import type { IndexDocument } from '../../../ports/search.ts'
import type { Queryable } from '../../../store/postgres/query.ts'

export interface SinkDocument {
  /** Key of the URL. */
  key: string
  document: IndexDocument
}

export interface DocumentSink {
  /** Fails if the engine does not have the documents that the rows say. Outside of transactions, before each batch. */
  check(): Promise<void>
  /** Places where the documents will be. */
  placeOf(tx: Queryable, documents: readonly IndexDocument[]): Promise<string[]>
  /** Writes the documents, and deletes documents at the former places of other URLs. Ranks are taken from the rows. */
  write(tx: Queryable, written: readonly SinkDocument[], formerPlaces: ReadonlyMap<string, string>): Promise<void>
  /** Called when ranks or expiry times of these URLs have changed. */
  rewrite(tx: Queryable, urlKeys: readonly string[]): Promise<void>
  /** Starts over with an empty index, which serves searches at once, or only when it is complete. */
  startOver(tx: Queryable, isServed: boolean): Promise<void>
  /** Called after the transaction that starts over. */
  removeUnused(): Promise<void>
  /** Called while no page is waiting: makes everything visible to searches. */
  settle(): Promise<void>
}

/** The document as its row stores it if its text is elsewhere. */
export function withoutText(document: IndexDocument): IndexDocument {
  const terms = Object.fromEntries(Object.keys(document.terms).map((field) => [field, '']))
  return {
    ...document,
    title: '',
    text: '',
    terms: terms as IndexDocument['terms'],
    words: [],
    keywords: [],
    entities: [],
    fingerprint: null,
  }
}

const PLACES = {
  name: 'index_places',
  text: 'select url_key, place from documents where url_key = any($1::uuid[]) and place is not null',
}

/** Places by URL key. */
export async function readPlaces(tx: Queryable, urlKeys: readonly string[]): Promise<Map<string, string>> {
  if (urlKeys.length === 0) return new Map()
  const { rows } = await tx.query({ ...PLACES, values: [urlKeys] })
  return new Map(rows.map((row) => [String(row['url_key']).replaceAll('-', ''), String(row['place'])]))
}
