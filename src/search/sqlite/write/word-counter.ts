// In how many documents words are, for suggestions. A new word is written with its document. The counts of known ones are
// added up over some batches first, for most words of a batch are known. A process that is killed takes with it what it
// has not saved; the counts are only about right anyway.

import type { DatabaseSync } from 'node:sqlite'

const MAX_KNOWN = 100_000
/** So many documents at a time, while full batches come one after another. */
const SAVED_AFTER = 20_000
/** Fewer are the last ones for a while. */
const FULL_BATCH = 256

export class WordCounter {
  readonly #save
  /** What is to be added to the count of a word that is in the table. */
  readonly #known = new Map<string, { waiting: number }>()
  #documents = 0

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      'insert into words (word, documents) values (?, ?) on conflict (word) do update set documents = documents + ?3',
    )
  }

  /** Words of a document; those of a page that was there already are counted already, most of them. */
  add(words: readonly string[], isNew: boolean): void {
    const count = isNew ? 1 : 0
    for (const word of words) {
      const known = this.#known.get(word)
      if (known !== undefined) {
        known.waiting += count
        continue
      }
      this.#save.run(word, 1, count)
      this.#known.set(word, { waiting: 0 })
    }
  }

  /** A batch of so many documents is at its end. */
  finish(documents: number): void {
    this.#documents += documents
    if (documents < FULL_BATCH || this.#documents >= SAVED_AFTER || this.#known.size > MAX_KNOWN) this.save()
  }

  /** The transaction came to nothing, or the table was emptied. */
  rollback(): void {
    this.#known.clear()
    this.#documents = 0
  }

  get hasUnsaved(): boolean {
    return this.#documents > 0
  }

  /** Within a transaction. */
  save(): void {
    for (const [word, known] of this.#known) {
      if (known.waiting === 0) continue
      this.#save.run(word, known.waiting, known.waiting)
      known.waiting = 0
    }
    if (this.#known.size > MAX_KNOWN) this.#known.clear()
    this.#documents = 0
  }
}
