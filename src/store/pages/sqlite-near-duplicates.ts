// Finds near-duplicates: fingerprints of 56 bits that differ in at most three bits agree in one of their four quarters.
// The entries of a quarter are one row, so all are compared with one read.

import type { DatabaseSync } from 'node:sqlite'
import { NEAR_BITS } from '../../ports/pages.ts'

const ENTRY_BYTES = 12
/**
 * Some texts, such as an empty shop page, share a quarter with thousands of others; comparing the first of them is
 * enough.
 */
const MAX_ENTRIES = 200

export interface NearDuplicate {
  /** Page of another URL with nearly the same text. */
  page: number | null
  /** The URL itself had nearly the same text before. */
  isOwn: boolean
}

export const NO_NEAR_DUPLICATE: NearDuplicate = { page: null, isOwn: false }

export class NearDuplicates {
  readonly #read
  readonly #isOf
  readonly #append
  readonly #write

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('select entries from fingerprints where quarter = ?')
    this.#append = db.prepare(
      `insert into fingerprints (quarter, entries) values (?, ?) on conflict (quarter) do update
       set entries = cast(entries || excluded.entries as blob) where length(entries) < ${MAX_ENTRIES * ENTRY_BYTES}`,
    )
    this.#write = db.prepare('update fingerprints set entries = ? where quarter = ?')
    this.#isOf = db.prepare('select 1 from pages p join urls u on u.id = p.url_id where p.id = ? and u.url = ?')
    this.#read.setReturnArrays(true)
  }

  /** The near-duplicate of a text of this URL. */
  find(fingerprint: bigint, url: string): NearDuplicate {
    const { lo, hi } = splitHalves(fingerprint)
    let isOwn = false
    for (const quarter of quartersOf(lo, hi)) {
      const entries = this.#entriesOf(quarter)
      if (entries === undefined) continue
      const words = new DataView(entries.buffer, entries.byteOffset, entries.byteLength)
      for (let at = 0; at < entries.byteLength; at += ENTRY_BYTES) {
        const apart = popcount(words.getUint32(at, true) ^ lo) + popcount(words.getUint32(at + 4, true) ^ hi)
        if (apart > NEAR_BITS) continue
        const page = words.getUint32(at + 8, true)
        if (this.#isOf.get(page, url) === undefined) return { page, isOwn }
        isOwn = true
      }
    }
    return { page: null, isOwn }
  }

  add(fingerprint: bigint, page: number): void {
    const { lo, hi } = splitHalves(fingerprint)
    const entry = encodeEntry(fingerprint, page)
    for (const quarter of quartersOf(lo, hi)) this.#append.run(quarter, entry)
  }

  /** Removes a deleted page. A page that was not added, or not in full, changes nothing. */
  remove(fingerprint: bigint, page: number): void {
    const { lo, hi } = splitHalves(fingerprint)
    for (const quarter of quartersOf(lo, hi)) {
      const entries = Buffer.from(this.#entriesOf(quarter) ?? [])
      for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
        if (entries.readUInt32LE(at + 8) !== page >>> 0) continue
        this.#write.run(Buffer.concat([entries.subarray(0, at), entries.subarray(at + ENTRY_BYTES)]), quarter)
        break
      }
    }
  }

  #entriesOf(quarter: number): Uint8Array | undefined {
    return (this.#read.get(quarter) as unknown as [Uint8Array] | undefined)?.[0]
  }
}

export function encodeEntry(fingerprint: bigint, page: number): Buffer {
  const { lo, hi } = splitHalves(fingerprint)
  const entry = Buffer.alloc(ENTRY_BYTES)
  entry.writeUInt32LE(lo, 0)
  entry.writeUInt32LE(hi, 4)
  entry.writeUInt32LE(page >>> 0, 8)
  return entry
}

export function* decodeEntries(blob: Uint8Array): Generator<{ fingerprint: bigint; page: number }> {
  const words = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  for (let at = 0; at < blob.byteLength; at += ENTRY_BYTES) {
    const [lo, hi] = [words.getUint32(at, true), words.getUint32(at + 4, true)]
    yield { fingerprint: (BigInt(hi) << 28n) | BigInt(lo), page: words.getUint32(at + 8, true) }
  }
}

function splitHalves(fingerprint: bigint): { lo: number; hi: number } {
  return { lo: Number(fingerprint & 0xfff_ffffn), hi: Number((fingerprint >> 28n) & 0xfff_ffffn) }
}

/** Fourteen bits each, distinguished by the two bits above. */
function quartersOf(lo: number, hi: number): number[] {
  return [lo & 0x3fff, (1 << 14) | (lo >>> 14), (2 << 14) | (hi & 0x3fff), (3 << 14) | (hi >>> 14)]
}

function popcount(value: number): number {
  let v = value - ((value >>> 1) & 0x5555_5555)
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
