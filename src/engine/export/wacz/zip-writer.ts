// Writes a zip file as a stream: entries are stored as they are, and their sizes follow their bytes. Every entry has
// 64-bit sizes, so that there is one form for small and large files (APPNOTE 6.3.10, sections 4.3.9 and 4.5.3).

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const LOCAL_HEADER = 0x04034b50
const DATA_DESCRIPTOR = 0x08074b50
const CENTRAL_HEADER = 0x02014b50
const END64 = 0x06064b50
const END64_LOCATOR = 0x07064b50
const END = 0x06054b50
/** Sizes follow the data; names are UTF-8. */
const FLAGS = 0x0808
/** 4.5: 64-bit sizes. */
const VERSION_NEEDED = 45
const MADE_BY_UNIX = (3 << 8) | VERSION_NEEDED
const REGULAR_FILE = (0o100644 << 16) >>> 0
const STORED = 0
const ZIP64_FIELD = 1
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff

export interface ZipEntry {
  path: string
  bytes: number
  sha256: string
}

export class ZipWriter {
  readonly #dosTime: number
  readonly #directory: Buffer[] = []
  #offset = 0

  constructor(writtenAt: number) {
    this.#dosTime = toDosTime(new Date(writtenAt))
  }

  /** Yields the bytes of an entry, and returns what was in it. */
  async *entry(path: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, ZipEntry> {
    const offset = this.#offset
    const name = Buffer.from(path)
    yield this.#count(localHeader(name, this.#dosTime))
    const digest = createHash('sha256')
    let crc = 0
    let bytes = 0
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc)
      digest.update(chunk)
      bytes += chunk.length
      yield this.#count(chunk)
    }
    yield this.#count(dataDescriptor(crc, bytes))
    this.#directory.push(centralHeader(name, { dosTime: this.#dosTime, crc, bytes, offset }))
    return { path, bytes, sha256: digest.digest('hex') }
  }

  /** The list of entries, which is the end of the file. */
  end(): Buffer {
    const directory = Buffer.concat(this.#directory)
    return Buffer.concat([directory, endRecords(this.#directory.length, directory.length, this.#offset)])
  }

  #count(bytes: Buffer): Buffer {
    this.#offset += bytes.length
    return bytes
  }
}

function localHeader(name: Buffer, dosTime: number): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(LOCAL_HEADER, 0)
  header.writeUInt16LE(VERSION_NEEDED, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(STORED, 8)
  header.writeUInt32LE(dosTime, 10)
  header.writeUInt32LE(MAX_32, 18)
  header.writeUInt32LE(MAX_32, 22)
  const sizes = zip64Field([0, 0])
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(sizes.length, 28)
  return Buffer.concat([header, name, sizes])
}

function dataDescriptor(crc: number, bytes: number): Buffer {
  const descriptor = Buffer.alloc(24)
  descriptor.writeUInt32LE(DATA_DESCRIPTOR, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeBigUInt64LE(BigInt(bytes), 8)
  descriptor.writeBigUInt64LE(BigInt(bytes), 16)
  return descriptor
}

interface CentralFields {
  dosTime: number
  crc: number
  bytes: number
  offset: number
}

function centralHeader(name: Buffer, { dosTime, crc, bytes, offset }: CentralFields): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(CENTRAL_HEADER, 0)
  header.writeUInt16LE(MADE_BY_UNIX, 4)
  header.writeUInt16LE(VERSION_NEEDED, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(STORED, 10)
  header.writeUInt32LE(dosTime, 12)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(MAX_32, 20)
  header.writeUInt32LE(MAX_32, 24)
  const sizes = zip64Field([bytes, bytes, offset])
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(sizes.length, 30)
  header.writeUInt32LE(REGULAR_FILE, 38)
  header.writeUInt32LE(MAX_32, 42)
  return Buffer.concat([header, name, sizes])
}

function zip64Field(values: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(ZIP64_FIELD, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * i)
  return field
}

function endRecords(entries: number, directoryBytes: number, directoryAt: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22)
  end.writeUInt32LE(END64, 0)
  end.writeBigUInt64LE(BigInt(56 - 12), 4)
  end.writeUInt16LE(MADE_BY_UNIX, 12)
  end.writeUInt16LE(VERSION_NEEDED, 14)
  end.writeBigUInt64LE(BigInt(entries), 24)
  end.writeBigUInt64LE(BigInt(entries), 32)
  end.writeBigUInt64LE(BigInt(directoryBytes), 40)
  end.writeBigUInt64LE(BigInt(directoryAt), 48)
  end.writeUInt32LE(END64_LOCATOR, 56)
  end.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 64)
  end.writeUInt32LE(1, 72)
  end.writeUInt32LE(END, 76)
  end.writeUInt16LE(MAX_16, 84)
  end.writeUInt16LE(MAX_16, 86)
  end.writeUInt32LE(MAX_32, 88)
  end.writeUInt32LE(MAX_32, 92)
  return end
}

/** The time in the low two bytes, in steps of two seconds; the date in the high two. It has no time zone: UTC here. */
function toDosTime(date: Date): number {
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return ((day << 16) | time) >>> 0
}
