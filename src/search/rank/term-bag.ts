// The term bag of a document: its terms in any order, each with its count per field. Scores are computed from it:
// FTS5's bm25() visits all documents of every word in every statement, 4 ms for a common word among 100,000, while a
// bag takes 3 us to read and score however many documents there are (2026-11).
//
// A term takes three bytes for its hash, then its counts: one byte below 128 if it occurs in the body alone, otherwise
// 128 plus a bit per field, and one byte for each of those fields.

import { BLOCK_BREAK, FIELDS, type Field } from '../../ports/search.ts'
import { impactNorm, TIER_DIGITS, tierOf } from './impacts.ts'

const HASH_MASK = 0xff_ffff
const PRIME = 0x01000193
const SPACE = 32
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const BYTES_OF_CODE = 3
const BODY = FIELDS.indexOf('body')
const BODY_ALONE = 1 << BODY
const HAS_FIELDS = 0x80
const IN_TITLE = 1 << FIELDS.indexOf('title')
const MAX_COUNT = 255
const SLOTS = 1 << 17
/** At most half of the slots are used; the analyser bounds the terms of a document. */
const MAX_TERMS = SLOTS >> 1

function termHash(term: string): number {
  let hash = 0
  for (const byte of Buffer.from(term)) hash = Math.imul(hash ^ byte, PRIME)
  return mixHash(hash)
}

function mixHash(hash: number): number {
  return (hash ^ (hash >>> 13) ^ (hash >>> 23)) & HASH_MASK
}

export interface PackedBag {
  /** Number of all terms. */
  length: number
  content: Uint8Array
}

/** Holds working memory; packs one document at a time. */
export class BagPacker {
  /** Term numbers, starting at 1, in slots by hash. */
  readonly #slots = new Uint32Array(SLOTS)
  readonly #used = new Uint32Array(MAX_TERMS)
  readonly #hashes = new Uint32Array(MAX_TERMS)
  /** One bit per field that contains the term. */
  readonly #fields = new Uint8Array(MAX_TERMS)
  readonly #counts = new Uint8Array(MAX_TERMS * FIELDS.length)
  readonly #encoder = new TextEncoder()
  #bytes = new Uint8Array(1 << 16)
  /** Distinct terms in UTF-8, one after the other, and where each ends. */
  #termBytes = Buffer.alloc(1 << 16)
  readonly #termEnds = new Uint32Array(MAX_TERMS)
  #impactBytes = Buffer.alloc(1 << 16)
  #terms = 0

  pack(terms: Record<Field, string>): PackedBag {
    const bag = this.#pack(terms)
    this.#clear()
    return bag
  }

  /** Impacts are the distinct terms, each with its tier, separated by spaces: see impacts.ts. */
  packWithImpacts(terms: Record<Field, string>): PackedBag & { impacts: string } {
    const bag = this.#pack(terms)
    const impacts = this.#writeImpacts(bag.length)
    this.#clear()
    return { ...bag, impacts }
  }

  #pack(terms: Record<Field, string>): PackedBag {
    let length = 0
    for (const [field, name] of FIELDS.entries()) length += this.#addAll(terms[name], field)
    return { length, content: this.#write() }
  }

  /** Works on bytes: reading the characters of a concatenated string takes several times as long. */
  #addAll(text: string, field: number): number {
    const maxBytes = text.length * BYTES_OF_CODE
    if (maxBytes > this.#bytes.length) this.#bytes = new Uint8Array(2 * maxBytes)
    const bytes = this.#bytes
    const end = this.#encoder.encodeInto(text, bytes).written
    let hash = 0
    let start = 0
    let count = 0
    for (let i = 0; i <= end; i++) {
      const byte = i < end ? (bytes[i] ?? 0) : SPACE
      if (byte !== SPACE) {
        hash = Math.imul(hash ^ byte, PRIME)
        continue
      }
      if (i > start && !isBlockBreak(bytes, start, i)) {
        if (this.#add(mixHash(hash), field)) this.#saveTerm(start, i)
        count += 1
      }
      hash = 0
      start = i + 1
    }
    return count
  }

  /** Returns whether the term is new. */
  #add(hash: number, field: number): boolean {
    const slots = this.#slots
    let slot = hash & (SLOTS - 1)
    let number = slots[slot] ?? 0
    while (number !== 0 && this.#hashes[number - 1] !== hash) {
      slot = (slot + 1) & (SLOTS - 1)
      number = slots[slot] ?? 0
    }
    const isNew = number === 0
    if (isNew) {
      if (this.#terms === MAX_TERMS) return false
      number = ++this.#terms
      this.#hashes[number - 1] = hash
      this.#used[number - 1] = slot
      this.#fields[number - 1] = 0
      slots[slot] = number
    }
    const at = (number - 1) * FIELDS.length + field
    const count = this.#counts[at] ?? 0
    if (count === 0) this.#fields[number - 1] = (this.#fields[number - 1] ?? 0) | (1 << field)
    if (count < MAX_COUNT) this.#counts[at] = count + 1
    return isNew
  }

  /** Keeps the last term that was added, which is at this range of the bytes. */
  #saveTerm(start: number, end: number): void {
    const from = this.#termEnds[this.#terms - 2] ?? 0
    const to = from + end - start
    if (to > this.#termBytes.length) this.#termBytes = Buffer.concat([this.#termBytes], 2 * to)
    this.#termBytes.set(this.#bytes.subarray(start, end), from)
    this.#termEnds[this.#terms - 1] = to
  }

  /** Built as bytes, because a string per term takes several times as long. */
  #writeImpacts(length: number): string {
    const norm = impactNorm(length)
    const bytes = this.#termBytes
    const maxBytes = (this.#termEnds[this.#terms - 1] ?? 0) + 2 * this.#terms
    if (maxBytes > this.#impactBytes.length) this.#impactBytes = Buffer.alloc(2 * maxBytes)
    const out = this.#impactBytes
    let end = 0
    let from = 0
    for (let term = 0; term < this.#terms; term++) {
      const to = this.#termEnds[term] ?? 0
      while (from < to) out[end++] = bytes[from++] ?? 0
      out[end++] = TIER_DIGITS.charCodeAt(tierOf(this.#counts, term * FIELDS.length, norm))
      out[end++] = SPACE
    }
    return out.toString('utf8', 0, end)
  }

  #write(): Uint8Array {
    const out = new Uint8Array(this.#terms * (4 + FIELDS.length))
    const counts = this.#counts
    let end = 0
    for (let term = 0; term < this.#terms; term++) {
      const hash = this.#hashes[term] ?? 0
      out[end++] = hash
      out[end++] = hash >> 8
      out[end++] = hash >> 16
      const first = term * FIELDS.length
      const fields = this.#fields[term] ?? 0
      const inBody = counts[first + BODY] ?? 0
      if (fields === BODY_ALONE && inBody < HAS_FIELDS) {
        out[end++] = inBody
        continue
      }
      out[end++] = HAS_FIELDS | fields
      for (let field = 0; field < FIELDS.length; field++) {
        if ((fields & (1 << field)) !== 0) out[end++] = counts[first + field] ?? 0
      }
    }
    return out.subarray(0, end)
  }

  #clear(): void {
    for (let term = 0; term < this.#terms; term++) this.#slots[this.#used[term] ?? 0] = 0
    this.#counts.fill(0, 0, this.#terms * FIELDS.length)
    this.#terms = 0
  }
}

const BLOCK_BREAK_BYTES = new TextEncoder().encode(BLOCK_BREAK)

function isBlockBreak(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === BLOCK_BREAK_BYTES.length && BLOCK_BREAK_BYTES.every((byte, i) => bytes[start + i] === byte)
}

const FILTER_MASK = 0xfff

/** Counts the words of a query in term bags; a word may have several terms. Holds the counts of the last bag read. */
export class BagReader {
  readonly #words: ReadonlyMap<string, number>
  /** Word numbers by hash. */
  readonly #wanted = new Map<number, number[]>()
  /** Indexed by the low bits of the hash: rules out most terms of a bag. */
  readonly #filter = new Uint8Array(FILTER_MASK + 1)
  readonly #counts: Float64Array
  /** 1 for each word that the bag contains. */
  readonly #present: Uint8Array
  #titleTerms = 0

  constructor(words: ReadonlyMap<string, readonly string[]>) {
    this.#words = new Map([...words.keys()].map((word, i) => [word, i]))
    this.#counts = new Float64Array(words.size * FIELDS.length)
    this.#present = new Uint8Array(words.size)
    for (const [i, terms] of [...words.values()].entries()) {
      for (const hash of new Set(terms.map(termHash))) {
        this.#wanted.set(hash, [...(this.#wanted.get(hash) ?? []), i])
        this.#filter[hash & FILTER_MASK] = 1
      }
    }
  }

  /** Number of different terms in the title. */
  get titleTerms(): number {
    return this.#titleTerms
  }

  read(bag: Uint8Array): void {
    this.#counts.fill(0)
    this.#present.fill(0)
    this.#titleTerms = 0
    const filter = this.#filter
    for (let at = 0; at < bag.length; ) {
      const low = (bag[at] ?? 0) | ((bag[at + 1] ?? 0) << 8)
      const head = bag[at + 3] ?? 0
      if (filter[low & FILTER_MASK] === 1) this.#note(low | ((bag[at + 2] ?? 0) << 16), bag, at + 3)
      if (head < HAS_FIELDS) at += 4
      else {
        if ((head & IN_TITLE) !== 0) this.#titleTerms += 1
        at += 4 + bitsIn(head & ~HAS_FIELDS)
      }
    }
  }

  /** The number of the word for `count`; -1 if there is no such word. */
  numberOf(word: string): number {
    return this.#words.get(word) ?? -1
  }

  has(word: number): boolean {
    return this.#present[word] === 1
  }

  /** Occurrences of the word in the field. */
  count(word: number, field: number): number {
    return this.#counts[word * FIELDS.length + field] ?? 0
  }

  /** Whether the word occurs in one of the first `fields` fields. */
  occurs(word: number, fields: number): boolean {
    const first = word * FIELDS.length
    for (let field = 0; field < fields; field++) if ((this.#counts[first + field] ?? 0) > 0) return true
    return false
  }

  #note(hash: number, bag: Uint8Array, at: number): void {
    const words = this.#wanted.get(hash)
    if (words === undefined) return
    const head = bag[at] ?? 0
    for (const word of words) {
      this.#present[word] = 1
      const first = word * FIELDS.length
      if (head < HAS_FIELDS) {
        this.#counts[first + BODY] = (this.#counts[first + BODY] ?? 0) + head
        continue
      }
      let next = at + 1
      for (let field = 0; field < FIELDS.length; field++) {
        if ((head & (1 << field)) === 0) continue
        this.#counts[first + field] = (this.#counts[first + field] ?? 0) + (bag[next++] ?? 0)
      }
    }
  }
}

function bitsIn(value: number): number {
  let count = 0
  for (let left = value; left !== 0; left &= left - 1) count += 1
  return count
}
