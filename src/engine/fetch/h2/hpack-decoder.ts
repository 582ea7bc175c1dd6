// Reads the headers of HTTP/2 responses (HPACK, RFC 7541). Every block must be decoded, in order of arrival, even if its
// stream was aborted: it may change the table that later blocks refer to.

import { decodeHuffman } from './huffman.ts'
import { FIRST_DYNAMIC, STATIC_FIELDS } from './static-table.ts'

type Field = readonly [name: string, value: string]

/** The default of SETTINGS_HEADER_TABLE_SIZE. */
const MAX_TABLE_BYTES = 4096
/** What a field counts beside its name and value (section 4.1). */
const FIELD_OVERHEAD = 32
/** Larger numbers have no use here, and would overflow. */
const MAX_NUMBER_SHIFT = 21

export interface DecodedBlock {
  /** Alternating names and values, one character per byte; incomplete if it is too large. */
  fields: string[]
  isTooLarge: boolean
}

/** Thrown, and caught, within this file. */
class BrokenBlock extends Error {}

export class HpackDecoder {
  /** Newest last. */
  readonly #table: Field[] = []
  #tableBytes = 0
  #maxTableBytes = MAX_TABLE_BYTES
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0
  #end = 0

  /** Null if the block is broken, which is an error of the connection. */
  decode(block: Buffer, maxBytes: number): DecodedBlock | null {
    this.#buffer = block
    this.#at = 0
    this.#end = block.length
    try {
      return this.#decodeFields(maxBytes)
    } catch (error) {
      if (error instanceof BrokenBlock) return null
      throw error
    }
  }

  #decodeFields(maxBytes: number): DecodedBlock {
    const fields: string[] = []
    let bytes = 0
    while (this.#at < this.#end) {
      const field = this.#readField()
      if (field === null) {
        if (bytes > 0) throw new BrokenBlock()
        continue
      }
      bytes += field[0].length + field[1].length + FIELD_OVERHEAD
      if (bytes <= maxBytes) fields.push(field[0], field[1])
    }
    return { fields, isTooLarge: bytes > maxBytes }
  }

  /** Null for a new size of the table. */
  #readField(): Field | null {
    const byte = this.#buffer[this.#at] as number
    if (byte >= 0x80) return this.#fieldAt(this.#readNumber(0x7f))
    if (byte >= 0x40) {
      const field = this.#readLiteral(0x3f)
      this.#addToTable(field)
      return field
    }
    if (byte >= 0x20) {
      this.#resizeTable(this.#readNumber(0x1f))
      return null
    }
    return this.#readLiteral(0x0f)
  }

  #readLiteral(mask: number): Field {
    const number = this.#readNumber(mask)
    const name = number === 0 ? this.#readText() : this.#fieldAt(number)[0]
    return [name, this.#readText()]
  }

  #fieldAt(number: number): Field {
    const field =
      number < FIRST_DYNAMIC
        ? STATIC_FIELDS[number - 1]
        : this.#table[this.#table.length - 1 - (number - FIRST_DYNAMIC)]
    if (field === undefined) throw new BrokenBlock()
    return field
  }

  /** Section 5.1. The bits of `mask` are those of the number in its first byte. */
  #readNumber(mask: number): number {
    let number = this.#readByte() & mask
    if (number < mask) return number
    for (let shift = 0; ; shift += 7) {
      if (shift > MAX_NUMBER_SHIFT) throw new BrokenBlock()
      const byte = this.#readByte()
      number += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return number
    }
  }

  #readByte(): number {
    if (this.#at >= this.#end) throw new BrokenBlock()
    return this.#buffer[this.#at++] as number
  }

  #readText(): string {
    if (this.#at >= this.#end) throw new BrokenBlock()
    const isHuffman = (this.#buffer[this.#at] as number) >= 0x80
    const length = this.#readNumber(0x7f)
    const from = this.#at
    const to = from + length
    if (to > this.#end) throw new BrokenBlock()
    this.#at = to
    if (!isHuffman) return this.#buffer.toString('latin1', from, to)
    const text = decodeHuffman(this.#buffer, from, to)
    if (text === null) throw new BrokenBlock()
    return text
  }

  #addToTable(field: Field): void {
    this.#table.push(field)
    this.#tableBytes += sizeOf(field)
    this.#evict()
  }

  #resizeTable(bytes: number): void {
    if (bytes > MAX_TABLE_BYTES) throw new BrokenBlock()
    this.#maxTableBytes = bytes
    this.#evict()
  }

  #evict(): void {
    while (this.#tableBytes > this.#maxTableBytes) {
      const oldest = this.#table.shift()
      if (oldest === undefined) return
      this.#tableBytes -= sizeOf(oldest)
    }
  }
}

function sizeOf([name, value]: Field): number {
  return name.length + value.length + FIELD_OVERHEAD
}
