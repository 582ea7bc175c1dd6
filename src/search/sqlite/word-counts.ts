// In how many documents words are, for suggestions. A new word is written with its document. The counts of known ones are
// added up over some batches first: most words of a batch are known, and what a process that ends takes with it is a few
// of the counts, which are only about right anyway.

import type { DatabaseSync } from 'node:sqlite'

const MAX_KNOWN = 200_000
/** So many documents at a time, of those that come in full batches. */
const SAVED_AFTER = 10_000
/** Fewer are the last ones for a while. */
const FULL_BATCH = 256

export class WordCounts {
  readonly #save
  /** What is to be added to the count of a word that is in the table. */
  readonly #known = new Map<string, number>()
  #documents = 0

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      'insert into words (word, documents) values (?, ?) on conflict (word) do update set documents = documents + ?3',
    )
  }

  /** `counts` are of a batch of so many documents: 0 for a word of a page that was there already. */
  add(counts: ReadonlyMap<string, number>, documents: number): void {
    for (const [word, count] of counts) {
      const waiting = this.#known.get(word)
      if (waiting === undefined) this.#save.run(word, Math.max(1, count), count)
      this.#known.set(word, waiting === undefined ? 0 : waiting + count)
    }
    this.#documents += documents
    if (documents < FULL_BATCH || this.#documents >= SAVED_AFTER || this.#known.size > MAX_KNOWN) this.#saveAll()
  }

  /** The transaction came to nothing, or the table was emptied. */
  forget(): void {
    this.#known.clear()
    this.#documents = 0
  }

  #saveAll(): void {
    for (const [word, waiting] of this.#known) {
      if (waiting === 0) continue
      this.#save.run(word, waiting, waiting)
      this.#known.set(word, 0)
    }
    if (this.#known.size > MAX_KNOWN) this.#known.clear()
    this.#documents = 0
  }
}
