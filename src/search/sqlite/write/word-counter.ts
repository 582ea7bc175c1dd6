// Counts the documents that contain a word, for suggestions. A new word is written with its document. Counts of known
// words are accumulated over several batches, because most words of a batch are known. A killed process loses the
// counts it has not saved; they are approximate anyway.

import type { DatabaseSync } from 'node:sqlite'

const MAX_KNOWN = 100_000
/** Documents between two saves while full batches arrive. */
const SAVED_AFTER = 20_000
/** A smaller batch is the last one for a while, so counts are saved. */
const FULL_BATCH = 256

export class WordCounter {
  readonly #save
  /** Count to add, by word that is already in the table. */
  readonly #known = new Map<string, { waiting: number }>()
  #documents = 0

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      'insert into words (word, documents) values (?, ?) on conflict (word) do update set documents = documents + ?3',
    )
  }

  /** Words of a document. Most words of a replaced document are already counted. */
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

  /** Call at the end of a batch. */
  finish(documents: number): void {
    this.#documents += documents
    if (documents < FULL_BATCH || this.#documents >= SAVED_AFTER || this.#known.size > MAX_KNOWN) this.save()
  }

  /** Call after a rollback, or after the table was emptied. */
  rollback(): void {
    this.#known.clear()
    this.#documents = 0
  }

  get hasUnsaved(): boolean {
    return this.#documents > 0
  }

  /** Call within a transaction. */
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
