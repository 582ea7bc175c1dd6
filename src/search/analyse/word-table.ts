// Different words, numbered: texts are kept as numbers of words, so that no string is made for a word that was met
// before. Holds a bounded number of words; a full table is left for a new one by its owner.

const SLOTS_PER_WORD = 2
const PRIME = 0x01000193

export class WordTable {
  readonly maxWords: number
  readonly #mask: number
  readonly #slots: Int32Array
  readonly #hashes: Int32Array
  readonly #words: string[] = []

  constructor(maxWords: number) {
    this.maxWords = maxWords
    const slots = 2 ** Math.ceil(Math.log2(maxWords * SLOTS_PER_WORD))
    this.#mask = slots - 1
    this.#slots = new Int32Array(slots).fill(-1)
    this.#hashes = new Int32Array(maxWords)
  }

  get size(): number {
    return this.#words.length
  }

  wordOf(id: number): string {
    return this.#words[id] ?? ''
  }

  /** The number of the word that these letters make; -1 when the table is full. */
  idOf(letters: Uint16Array, length: number): number {
    let hash = length
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (letters[i] ?? 0), PRIME)
    hash ^= hash >>> 15
    let slot = hash & this.#mask
    for (;;) {
      const id = this.#slots[slot] ?? -1
      if (id === -1) return this.#add(slot, hash, letters, length)
      if (this.#hashes[id] === hash && isSame(this.#words[id] ?? '', letters, length)) return id
      slot = (slot + 1) & this.#mask
    }
  }

  #add(slot: number, hash: number, letters: Uint16Array, length: number): number {
    const id = this.#words.length
    if (id === this.maxWords) return -1
    this.#words.push(String.fromCharCode(...letters.subarray(0, length)))
    this.#hashes[id] = hash
    this.#slots[slot] = id
    return id
  }
}

function isSame(word: string, letters: Uint16Array, length: number): boolean {
  if (word.length !== length) return false
  for (let i = 0; i < length; i++) if (word.charCodeAt(i) !== letters[i]) return false
  return true
}
