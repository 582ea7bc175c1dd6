// The n-grams of the language detector in typed arrays. As objects, the way eld ships them, they take 45 MB of heap,
// and V8 lets a heap grow to a multiple of its live size: the indexer took 110 MB more with them (2026-11). Packed they
// take 3 MB.

/** Maximum length of an n-gram; each letter is one byte. */
export const MAX_LETTERS = 6
const SLOTS = 1 << 18
const PRIME = 0x9e3779b1

export interface PackedNgramData {
  /** Codes by language number. */
  languages: string[]
  ngrams: PackedNgrams
}

/** Parses the module with eld's data without evaluating it, which would create all the objects. */
export function packNgrams(source: string): PackedNgramData {
  const head = /export const ngramsData = \{type:'(\w+)',languages:\{([^}]*)\}.*?ngrams:\{/.exec(source)
  if (head === null) throw new Error('The data of the language detector has an unexpected format.')
  const [start, , list = ''] = head
  const languages: string[] = []
  for (const [, id, code = ''] of list.matchAll(/(\d+):'(\w+)'/g)) languages[Number(id)] = code
  const ngrams = new PackedNgrams()
  const entry = /(?:'((?:[^'\\]|\\.)*)'|([\w$\u0080-\u00ff]+)):\{([\d:,]*)\}(?:,|(\}\};?\s*$))/gsy
  entry.lastIndex = head.index + start.length
  for (;;) {
    const [, quoted, bare, scores = '', end] = entry.exec(source) ?? []
    const name = bare ?? quoted?.replace(/\\(.)/gs, '$1')
    if (name === undefined) throw new Error('The data of the language detector has an unexpected format.')
    ngrams.add(name, scores)
    if (end !== undefined) break
  }
  return { languages, ngrams }
}

class PackedNgrams {
  /** The first four letters of a name, and the last two; both are 0 in a free slot. */
  readonly #front = new Uint32Array(SLOTS)
  readonly #back = new Uint16Array(SLOTS)
  readonly #at = new Uint32Array(SLOTS)
  /** For each name: the number of languages, then each language with its score. */
  #scores = new Uint8Array(1 << 19)
  #end = 0

  add(name: string, scores: string): void {
    const letters = Uint8Array.from(name, (letter) => letter.charCodeAt(0))
    if (letters.length > MAX_LETTERS) throw new RangeError(`The n-gram "${name}" is too long.`)
    const [front, back] = [frontOf(letters), backOf(letters)]
    const slot = this.#slotOf(front, back)
    this.#front[slot] = front
    this.#back[slot] = back
    this.#at[slot] = this.#end
    const pairs = scores.split(',')
    if (this.#end + 1 + 2 * pairs.length > this.#scores.length) this.#makeRoom()
    this.#scores[this.#end++] = pairs.length
    for (const pair of pairs) {
      const [language = '', score = ''] = pair.split(':')
      this.#scores[this.#end++] = Number(language)
      this.#scores[this.#end++] = Number(score)
    }
  }

  /** Adds the score of each language that has the n-gram, plus `base`. */
  addScores(front: number, back: number, totals: Float64Array, base: number): void {
    const slot = this.#slotOf(front, back)
    if (this.#front[slot] === 0 && this.#back[slot] === 0) return
    const scores = this.#scores
    const at = this.#at[slot] ?? 0
    const end = at + 1 + 2 * (scores[at] ?? 0)
    for (let i = at + 1; i < end; i += 2) {
      const language = scores[i] ?? 0
      totals[language] = (totals[language] ?? 0) + (scores[i + 1] ?? 0) + base
    }
  }

  /** The slot of the name, or a free one for it. */
  #slotOf(front: number, back: number): number {
    for (let slot = (Math.imul(front ^ (back << 8), PRIME) >>> 14) % SLOTS; ; slot = (slot + 1) % SLOTS) {
      const isFree = this.#front[slot] === 0 && this.#back[slot] === 0
      if (isFree || (this.#front[slot] === front && this.#back[slot] === back)) return slot
    }
  }

  #makeRoom(): void {
    const longer = new Uint8Array(this.#scores.length * 2)
    longer.set(this.#scores)
    this.#scores = longer
  }
}

/** The first four letters as a number. */
export function frontOf(letters: Uint8Array): number {
  return ((letters[0] ?? 0) | ((letters[1] ?? 0) << 8) | ((letters[2] ?? 0) << 16) | ((letters[3] ?? 0) << 24)) >>> 0
}

/** The last two of six letters. */
export function backOf(letters: Uint8Array): number {
  return (letters[4] ?? 0) | ((letters[5] ?? 0) << 8)
}
