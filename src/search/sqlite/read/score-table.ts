// Approximate scores of documents, summed over lists. Documents are numbered in the order in which they are added, and
// an open hash table finds them by id: a Map takes three times as long. If all ids are small enough to be slots of
// that table, they are not hashed.

export interface ApproximateHit {
  pageId: number
  score: number
}

const HASH = 0x9e3779b1
const BUCKETS = 2048

export class ScoreTable {
  /** Document numbers plus 1, by hash or id; 0 is empty. */
  readonly #slots: Int32Array
  readonly #areIdsSlots: boolean
  readonly #shift: number
  /** Ids by document number. */
  readonly #ids: Float64Array
  readonly #scores: Float64Array
  #size = 0

  /** No id is above `maxId`. */
  constructor(maxDocuments: number, maxId: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(2 * maxDocuments)))
    this.#slots = new Int32Array(1 << bits)
    this.#areIdsSlots = maxId < this.#slots.length
    this.#shift = 32 - bits
    this.#ids = new Float64Array(maxDocuments)
    this.#scores = new Float64Array(maxDocuments)
  }

  get size(): number {
    return this.#size
  }

  addAll(ids: ArrayLike<number>, score: number): void {
    const slots = this.#slots
    const scores = this.#scores
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] ?? 0
      const slot = this.#slotOf(id)
      let number = slots[slot] ?? 0
      if (number === 0) {
        this.#ids[this.#size] = id
        number = ++this.#size
        slots[slot] = number
      }
      scores[number - 1] = (scores[number - 1] ?? 0) + score
    }
  }

  /** Ignores documents that it does not have. */
  addPresent(ids: ArrayLike<number>, score: number): void {
    const scores = this.#scores
    for (let i = 0; i < ids.length; i++) {
      const number = this.#slots[this.#slotOf(ids[i] ?? 0)] ?? 0
      if (number !== 0) scores[number - 1] = (scores[number - 1] ?? 0) + score
    }
  }

  ids(): number[] {
    return Array.from(this.#ids.subarray(0, this.#size))
  }

  /** Best first; ties by id, newest first. */
  highest(limit: number): ApproximateHit[] {
    const scores = this.#scores
    const cut = this.cutScore(limit)
    const best: ApproximateHit[] = []
    for (let number = 0; number < this.#size; number++) {
      const score = scores[number] ?? 0
      if (score >= cut) best.push({ pageId: this.#ids[number] ?? 0, score })
    }
    return best.sort((a, b) => b.score - a.score || b.pageId - a.pageId).slice(0, limit)
  }

  /**
   * A score that at least `limit` documents reach, and few more; 0 if there are fewer. Found by counting, since sorting
   * all is slow.
   */
  cutScore(limit: number): number {
    if (this.#size <= limit) return 0
    const scores = this.#scores
    let max = 0
    for (let number = 0; number < this.#size; number++) max = Math.max(max, scores[number] ?? 0)
    const counts = new Uint32Array(BUCKETS + 1)
    const scale = BUCKETS / max
    for (let number = 0; number < this.#size; number++) {
      const bucket = Math.floor((scores[number] ?? 0) * scale)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
    let reached = 0
    let bucket = BUCKETS + 1
    while (bucket > 0 && reached < limit) reached += counts[--bucket] ?? 0
    // Rounding may have put a score into the bucket above it.
    return ((bucket - ROUNDING) / BUCKETS) * max
  }

  #slotOf(id: number): number {
    if (this.#areIdsSlots) return id
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = Math.imul(id, HASH) >>> this.#shift
    for (let number = slots[slot] ?? 0; number !== 0 && this.#ids[number - 1] !== id; number = slots[slot] ?? 0)
      slot = (slot + 1) & mask
    return slot
  }
}

const ROUNDING = 1e-6
