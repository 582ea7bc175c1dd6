// Numbers distinct words. Texts are held as word numbers, so that no string is created for a known word. The table is
// bounded; the owner replaces a full one.

const SLOTS_PER_WORD = 2
const PRIME = 0x01000193
const LETTERS_PER_WORD = 8
/**
 * A slot holds the hash of a word, its number and the start of its letters, so that a lookup touches one cache line.
 */
const [HASH, NUMBER, START] = [0, 1, 2]
const SLOT_SHIFT = 2

export class WordTable {
  readonly maxWords: number
  readonly #mask: number
  /** Numbers start at 1 here; 0 is a free slot. */
  readonly #slots: Int32Array
  readonly #words: string[] = []
  readonly #hashes: Int32Array
  /** The letters of all words in sequence, each terminated by 0. */
  #letters: Uint16Array
  #end = 0

  constructor(maxWords: number) {
    this.maxWords = maxWords
    const slots = 2 ** Math.ceil(Math.log2(maxWords * SLOTS_PER_WORD))
    this.#mask = slots - 1
    this.#slots = new Int32Array(slots << SLOT_SHIFT)
    this.#hashes = new Int32Array(maxWords)
    this.#letters = new Uint16Array(maxWords * LETTERS_PER_WORD)
  }

  get size(): number {
    return this.#words.length
  }

  wordOf(id: number): string {
    return this.#words[id] ?? ''
  }

  /** The hash of a word, the same in every table. */
  hashOf(id: number): number {
    return this.#hashes[id] ?? 0
  }

  /** The number of the word with these letters, which must not be 0; -1 if the table is full. */
  idOf(letters: Uint16Array, length: number): number {
    let hash = length
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (letters[i] ?? 0), PRIME)
    hash ^= hash >>> 15
    const slots = this.#slots
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot << SLOT_SHIFT
      const number = slots[at + NUMBER] ?? 0
      if (number === 0) return this.#add(at, hash, letters.subarray(0, length))
      if (slots[at + HASH] === hash && this.#isAt(slots[at + START] ?? 0, letters, length)) return number - 1
    }
  }

  #isAt(start: number, letters: Uint16Array, length: number): boolean {
    const all = this.#letters
    for (let i = 0; i < length; i++) if (all[start + i] !== letters[i]) return false
    return all[start + length] === 0
  }

  #add(at: number, hash: number, letters: Uint16Array): number {
    const id = this.#words.length
    if (id === this.maxWords) return -1
    this.#words.push(String.fromCharCode(...letters))
    if (this.#end + letters.length >= this.#letters.length) this.#makeRoom()
    this.#letters.set(letters, this.#end)
    this.#hashes[id] = hash
    this.#slots[at + HASH] = hash
    this.#slots[at + NUMBER] = id + 1
    this.#slots[at + START] = this.#end
    this.#end += letters.length + 1
    return id
  }

  #makeRoom(): void {
    const longer = new Uint16Array(this.#letters.length * 2)
    longer.set(this.#letters)
    this.#letters = longer
  }
}
