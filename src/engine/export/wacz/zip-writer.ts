// Writes a zip file as a stream: the sizes of an entry follow its bytes. Every entry has 64-bit sizes, so that there is
// one form for small and large files (APPNOTE 6.3.10, sections 4.3.9 and 4.5.3).

import { createHash, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

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
const DEFLATED = 8
const ZIP64_FIELD = 1
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff

export interface ZipEntry {
  path: string
  /** Size before compression; the digest is of the same bytes. */
  bytes: number
  sha256: string
}

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

export class ZipWriter {
  readonly #dosTime: number
  readonly #directory: Buffer[] = []
  #offset = 0

  constructor(writtenAt: number) {
    this.#dosTime = toDosTime(new Date(writtenAt))
  }

  /** Yields the bytes of an entry that is stored without compression, and returns its description. */
  entry(path: string, chunks: Chunks): AsyncGenerator<Buffer, ZipEntry> {
    return this.#write(path, chunks, STORED)
  }

  compressedEntry(path: string, chunks: Chunks): AsyncGenerator<Buffer, ZipEntry> {
    return this.#write(path, chunks, DEFLATED)
  }

  async *#write(path: string, chunks: Chunks, method: number): AsyncGenerator<Buffer, ZipEntry> {
    const name = Buffer.from(path)
    const content = { bytes: 0, crc: 0, digest: createHash('sha256') }
    const header = { name, method, dosTime: this.#dosTime, offset: this.#offset }
    yield this.#count(localHeader(header))
    const dataAt = this.#offset
    const data = measure(chunks, content)
    for await (const chunk of method === DEFLATED ? deflate(data) : data) yield this.#count(chunk)
    const sizes = { crc: content.crc, bytes: content.bytes, packedBytes: this.#offset - dataAt }
    yield this.#count(dataDescriptor(sizes))
    this.#directory.push(centralHeader({ ...header, ...sizes }))
    return { path, bytes: content.bytes, sha256: content.digest.digest('hex') }
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

interface Content {
  bytes: number
  crc: number
  digest: Hash
}

async function* measure(chunks: Chunks, content: Content): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    content.bytes += chunk.length
    content.crc = crc32(chunk, content.crc)
    content.digest.update(chunk)
    yield chunk
  }
}

async function* deflate(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createDeflateRaw()
  const written = pipeline(chunks, stream)
  // The error also fails the stream, whose reader receives it.
  written.catch(() => undefined)
  yield* stream
  await written
}

interface EntryHeader {
  name: Buffer
  method: number
  dosTime: number
  offset: number
}

interface EntrySizes {
  crc: number
  bytes: number
  packedBytes: number
}

function localHeader({ name, method, dosTime }: EntryHeader): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(LOCAL_HEADER, 0)
  header.writeUInt16LE(VERSION_NEEDED, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(dosTime, 10)
  header.writeUInt32LE(MAX_32, 18)
  header.writeUInt32LE(MAX_32, 22)
  const sizes = zip64Field([0, 0])
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(sizes.length, 28)
  return Buffer.concat([header, name, sizes])
}

function dataDescriptor({ crc, bytes, packedBytes }: EntrySizes): Buffer {
  const descriptor = Buffer.alloc(24)
  descriptor.writeUInt32LE(DATA_DESCRIPTOR, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeBigUInt64LE(BigInt(packedBytes), 8)
  descriptor.writeBigUInt64LE(BigInt(bytes), 16)
  return descriptor
}

function centralHeader(entry: EntryHeader & EntrySizes): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(CENTRAL_HEADER, 0)
  header.writeUInt16LE(MADE_BY_UNIX, 4)
  header.writeUInt16LE(VERSION_NEEDED, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(entry.method, 10)
  header.writeUInt32LE(entry.dosTime, 12)
  header.writeUInt32LE(entry.crc, 16)
  header.writeUInt32LE(MAX_32, 20)
  header.writeUInt32LE(MAX_32, 24)
  const sizes = zip64Field([entry.bytes, entry.packedBytes, entry.offset])
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt16LE(sizes.length, 30)
  header.writeUInt32LE(REGULAR_FILE, 38)
  header.writeUInt32LE(MAX_32, 42)
  return Buffer.concat([header, entry.name, sizes])
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
