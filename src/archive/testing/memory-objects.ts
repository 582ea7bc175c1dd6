// Test support: segment objects in memory that fail on request. What a real server does is tested in test/engines.

import { readFile } from 'node:fs/promises'
import { S3Error, type S3Failure } from '../../lib/s3/s3-error.ts'
import type { SegmentObjects } from '../objects/segment-objects.ts'
import { archiveError } from '../segment-files.ts'

export class MemoryObjects implements SegmentObjects {
  readonly name = 's3://memory/'
  readonly objects = new Map<string, { bytes: Buffer; uploadedAt: number }>()
  /** Recorded calls in order, such as "put 2026...". */
  readonly calls: string[] = []
  /** While set, every call fails like this. */
  failure: S3Failure | null = null
  /** Segments that cannot be uploaded. */
  readonly refused = new Set<string>()
  readonly #now: () => number

  constructor(now: () => number = () => 0) {
    this.#now = now
  }

  /** The objects as they are now. */
  copy(): MemoryObjects {
    const copied = new MemoryObjects(this.#now)
    for (const [segment, object] of this.objects) copied.objects.set(segment, object)
    return copied
  }

  async check(): Promise<void> {
    this.#call('check')
  }

  async put(segment: string, path: string): Promise<void> {
    this.#call(`put ${segment}`)
    if (this.refused.has(segment)) throw archiveError(new S3Error('refused', `put ${segment}`), segment)
    this.objects.set(segment, { bytes: await readFile(path), uploadedAt: this.#now() })
  }

  async sizeOf(segment: string): Promise<number | null> {
    this.#call(`size ${segment}`)
    return this.objects.get(segment)?.bytes.length ?? null
  }

  async read(segment: string, offset: number, length: number): Promise<Buffer> {
    this.#call(`read ${segment}`)
    const object = this.objects.get(segment)
    if (object === undefined) throw archiveError(new S3Error('missing', `GET ${segment}`), segment)
    return object.bytes.subarray(offset, offset + length)
  }

  async *list() {
    this.#call('list')
    for (const [segment, { bytes, uploadedAt }] of [...this.objects].sort())
      yield { segment, bytes: bytes.length, uploadedAt }
  }

  async delete(segment: string): Promise<void> {
    this.#call(`delete ${segment}`)
    this.objects.delete(segment)
  }

  close(): void {
    this.calls.push('close')
  }

  #call(what: string): void {
    this.calls.push(what)
    if (this.failure !== null) throw archiveError(new S3Error(this.failure, what), what)
  }
}
