// The passages of protected documents by their grams: runs of GRAM_WORDS words, hashed. With one word in ten edited, only
// short runs of a copy are intact, so grams are short; that several lie in a row is checked later (find-copies.ts).

/** Words per gram: with one word in ten edited, two of three grams stay intact. */
export const GRAM_WORDS = 4
/** A gram that occurs more often says little. Only its first places are kept. */
const MAX_PLACES = 16
/** Filter bits per gram. With two bits set in one word for each, one in about 70 other grams passes the filter. */
const FILTER_BITS = 16
const NONE = -1

export class GramIndex {
  /** A Bloom filter with two bits in one word per gram: most grams of a page end here, with one look into an array. */
  readonly #filter: Int32Array
  readonly #unusedBits: number
  /** Open addressing: the gram, and its last place in `#next`. */
  readonly #grams: Int32Array
  readonly #heads: Int32Array
  readonly #mask: number
  /** Indexed by place (a word number over all documents): the previous place of the same gram. */
  readonly #next: Int32Array

  /** `words` are the words of all documents in a row; `ends` the end of each document. */
  constructor(words: Int32Array, ends: readonly number[]) {
    const slots = 1 << Math.max(4, Math.ceil(Math.log2(words.length * 2 + 1)))
    this.#mask = slots - 1
    this.#grams = new Int32Array(slots)
    this.#heads = new Int32Array(slots).fill(NONE)
    this.#next = new Int32Array(words.length).fill(NONE)
    const filterLog = Math.max(10, Math.ceil(Math.log2(words.length * FILTER_BITS + 1)))
    this.#filter = new Int32Array(1 << (filterLog - 5))
    this.#unusedBits = 32 - (filterLog - 5)
    let start = 0
    for (const end of ends) {
      for (let place = start; place + GRAM_WORDS <= end; place++) this.#add(hashGram(words, place), place)
      start = end
    }
  }

  /** Positions of grams that pass the filter. Most of them are in a document. */
  findCandidates(words: Int32Array, count: number): number[] {
    const filter = this.#filter
    const unusedBits = this.#unusedBits
    const candidates: number[] = []
    for (let i = 0; i + GRAM_WORDS <= count; i++) {
      const gram = hashGram(words, i)
      const bits = filterBits(gram)
      if (((filter[gram >>> unusedBits] ?? 0) & bits) === bits) candidates.push(i)
    }
    return candidates
  }

  /** The places where the gram begins, the last one first. */
  placesOf(gram: number, places: number[]): void {
    places.length = 0
    let slot = gram & this.#mask
    for (; this.#heads[slot] !== NONE; slot = (slot + 1) & this.#mask) {
      if (this.#grams[slot] !== gram) continue
      for (let place = this.#heads[slot] ?? NONE; place !== NONE; place = this.#next[place] ?? NONE) places.push(place)
      return
    }
  }

  #add(gram: number, place: number): void {
    const word = gram >>> this.#unusedBits
    this.#filter[word] = (this.#filter[word] ?? 0) | filterBits(gram)
    let slot = gram & this.#mask
    while (this.#heads[slot] !== NONE && this.#grams[slot] !== gram) slot = (slot + 1) & this.#mask
    let known = 0
    for (let at = this.#heads[slot] ?? NONE; at !== NONE; at = this.#next[at] ?? NONE) known += 1
    if (known >= MAX_PLACES) return
    this.#grams[slot] = gram
    this.#next[place] = this.#heads[slot] ?? NONE
    this.#heads[slot] = place
  }
}

/** The upper bits of a gram choose the word of the filter. */
function filterBits(gram: number): number {
  return (1 << (gram & 31)) | (1 << ((gram >>> 5) & 31))
}

/** Hash of the gram that starts at `start`. */
export function hashGram(words: Int32Array, start: number): number {
  let hash = Math.imul(words[start] ?? 0, 0x2c1b3c6d) ^ (words[start + 1] ?? 0)
  hash = Math.imul(hash ^ (hash >>> 15), 0x297a2d39) ^ (words[start + 2] ?? 0)
  hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) ^ (words[start + 3] ?? 0)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
