// The n-grams of the language detector in typed arrays. As objects, the way eld ships them, they take 45 MB of heap,
// and V8 lets a heap grow to a multiple of its live size: the indexer took 110 MB more with them (2026-11). Packed they
// take 3 MB. eld looks n-grams up by name, so it gets a proxy that creates the object of one n-gram on access.

/** Scores by language number. */
export type NgramScores = Record<number, number>

export interface NgramData {
  type: string
  languages: Record<number, string>
  ngrams: Record<string, NgramScores | undefined>
}

/** Maximum length of an n-gram; each letter is one byte. */
const MAX_LETTERS = 6
const SLOTS = 1 << 18
const PRIME = 0x9e3779b1
/** Unpacked n-grams that are kept: the common ones of a few languages, 2 MB. */
const MAX_UNPACKED = 4096

/** Parses the module with eld's data without evaluating it, which would create all the objects. */
export function packNgrams(source: string): NgramData {
  const head = /export const ngramsData = \{type:'(\w+)',languages:\{([^}]*)\}.*?ngrams:\{/.exec(source)
  if (head === null) throw new Error('The data of the language detector has an unexpected format.')
  const [start, type = '', list = ''] = head
  const languages = Object.fromEntries(Array.from(list.matchAll(/(\d+):'(\w+)'/g), ([, id, code]) => [id, code ?? '']))
  const packed = new PackedNgrams()
  const entry = /(?:'((?:[^'\\]|\\.)*)'|([\w$\u0080-\u00ff]+)):\{([\d:,]*)\}(?:,|(\}\};?\s*$))/gsy
  entry.lastIndex = head.index + start.length
  for (;;) {
    const [, quoted, bare, scores = '', end] = entry.exec(source) ?? []
    const name = bare ?? quoted?.replace(/\\(.)/gs, '$1')
    if (name === undefined) throw new Error('The data of the language detector has an unexpected format.')
    packed.add(name, scores)
    if (end !== undefined) break
  }
  const unpacked = new Map<string, NgramScores | undefined>()
  const find = (name: string) => {
    let scores = unpacked.get(name)
    if (scores === undefined && !unpacked.has(name)) {
      scores = packed.find(name)
      if (unpacked.size >= MAX_UNPACKED) unpacked.clear()
      unpacked.set(name, scores)
    }
    return scores
  }
  const ngrams = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? find(name) : undefined) })
  return { type, languages, ngrams }
}

class PackedNgrams {
  /** The first four letters of a name, and the last two; both are 0 in a free slot. */
  readonly #front = new Uint32Array(SLOTS)
  readonly #back = new Uint16Array(SLOTS)
  readonly #at = new Uint32Array(SLOTS)
  /** Per name: the number of languages, then each language with its score. */
  #scores = new Uint8Array(1 << 19)
  #end = 0

  add(name: string, scores: string): void {
    const slot = this.#slotOf(name)
    if (slot === -1) throw new RangeError(`The n-gram "${name}" is too long.`)
    this.#front[slot] = frontOf(name)
    this.#back[slot] = backOf(name)
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

  find(name: string): NgramScores | undefined {
    const slot = this.#slotOf(name)
    if (slot === -1 || (this.#front[slot] === 0 && this.#back[slot] === 0)) return undefined
    const at = this.#at[slot] ?? 0
    const found: NgramScores = {}
    const end = at + 1 + 2 * (this.#scores[at] ?? 0)
    for (let i = at + 1; i < end; i += 2) found[this.#scores[i] ?? 0] = this.#scores[i + 1] ?? 0
    return found
  }

  /** The slot of the name, or a free one for it; -1 for a name that cannot be stored. */
  #slotOf(name: string): number {
    if (name.length > MAX_LETTERS) return -1
    const [front, back] = [frontOf(name), backOf(name)]
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

function frontOf(name: string): number {
  return (byteAt(name, 0) | (byteAt(name, 1) << 8) | (byteAt(name, 2) << 16) | (byteAt(name, 3) << 24)) >>> 0
}

function backOf(name: string): number {
  return byteAt(name, 4) | (byteAt(name, 5) << 8)
}

function byteAt(name: string, i: number): number {
  return i < name.length ? name.charCodeAt(i) & 0xff : 0
}
