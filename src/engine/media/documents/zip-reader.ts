// Reads single files of a zip through its central directory (APPNOTE.TXT 4.3). The unpacked size is limited over all
// files, and nothing in the file is trusted: every offset and length is checked against the available bytes.

import { inflateRawSync } from 'node:zlib'

interface ZipEntry {
  method: number
  packedBytes: number
  headerAt: number
}

const END_MARK = 0x06054b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const ENTRY_MARK = 0x02014b50
const ENTRY_BYTES = 46
const HEADER_MARK = 0x04034b50
const HEADER_BYTES = 30
const STORED = 0
const DEFLATED = 8
const IS_ENCRYPTED = 1
const MAX_ENTRIES = 10_000

export class Zip {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, ZipEntry>
  #leftBytes: number
  /** Some files were skipped, because the total unpacked size is too large. */
  isTruncated = false

  constructor(bytes: Buffer, entries: ReadonlyMap<string, ZipEntry>, maxUnpackedBytes: number) {
    this.#bytes = bytes
    this.#entries = entries
    this.#leftBytes = maxUnpackedBytes
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Folder such as `book/`, for files that were zipped together with the folder they were in; otherwise empty. */
  folderOf(name: string): string {
    if (this.has(name)) return ''
    for (const path of this.#entries.keys()) if (path.endsWith(`/${name}`)) return path.slice(0, -name.length)
    return ''
  }

  /** Null if the file does not exist or cannot be unpacked. */
  read(name: string): Buffer | null {
    const entry = this.#entries.get(name)
    const packed = entry === undefined ? null : this.#packedBytes(entry)
    if (entry === undefined || packed === null) return null
    const unpacked = entry.method === STORED ? this.#take(packed) : this.#inflate(packed)
    if (unpacked !== null) this.#leftBytes -= unpacked.length
    return unpacked
  }

  #packedBytes({ method, packedBytes, headerAt }: ZipEntry): Buffer | null {
    const bytes = this.#bytes
    if (method !== STORED && method !== DEFLATED) return null
    if (headerAt + HEADER_BYTES > bytes.length || bytes.readUInt32LE(headerAt) !== HEADER_MARK) return null
    const start = headerAt + HEADER_BYTES + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28)
    return start + packedBytes > bytes.length ? null : bytes.subarray(start, start + packedBytes)
  }

  #take(bytes: Buffer): Buffer | null {
    this.isTruncated ||= bytes.length > this.#leftBytes
    return bytes.length > this.#leftBytes ? null : bytes
  }

  #inflate(packed: Buffer): Buffer | null {
    if (this.#leftBytes <= 0) return this.#take(packed)
    try {
      return inflateRawSync(packed, { maxOutputLength: this.#leftBytes })
    } catch (error) {
      this.isTruncated ||= error instanceof RangeError
      return null
    }
  }
}

export function openZip(bytes: Buffer, maxUnpackedBytes: number): Zip | 'broken' | 'encrypted' {
  const endAt = findEnd(bytes)
  if (endAt === -1) return 'broken'
  const entries = new Map<string, ZipEntry>()
  let at = bytes.readUInt32LE(endAt + 16)
  for (let count = Math.min(bytes.readUInt16LE(endAt + 10), MAX_ENTRIES); count > 0; count--) {
    if (at + ENTRY_BYTES > endAt || bytes.readUInt32LE(at) !== ENTRY_MARK) return 'broken'
    if (bytes.readUInt16LE(at + 8) & IS_ENCRYPTED) return 'encrypted'
    const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28)
    entries.set(bytes.toString('utf8', at + ENTRY_BYTES, nameEnd), {
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      headerAt: bytes.readUInt32LE(at + 42),
    })
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return new Zip(bytes, entries, maxUnpackedBytes)
}

/** Only a comment may follow the end record. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = bytes.length - END_BYTES; at >= first; at--) if (bytes.readUInt32LE(at) === END_MARK) return at
  return -1
}
