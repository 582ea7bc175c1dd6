// Several buckets as one. A new segment goes to the bucket with the highest hash of both names (rendezvous hashing):
// an added bucket gets its share of new segments, and no segment moves. A segment stays in the bucket it was written
// to. A reader asks the bucket in which it last found the segment, then all of them, starting with the highest hash.

import { hash } from 'node:crypto'
import { isMissingSegment } from '../segment-files.ts'
import type { ListedSegmentObject, SegmentObjects } from './segment-objects.ts'

export interface Bucket {
  /** Hashed with the name of a segment. Must never change, and differs for each bucket. */
  key: string
  objects: SegmentObjects
  /** It is read, and takes no new segments. */
  isReadOnly: boolean
}

const MAX_REMEMBERED = 100_000

export class SeveralBuckets implements SegmentObjects {
  readonly name: string
  readonly #buckets: readonly Bucket[]
  readonly #placement = new Map<string, SegmentObjects>()

  constructor(buckets: readonly Bucket[]) {
    this.#buckets = buckets
    this.name = buckets.map(({ objects }) => objects.name).join(', ')
  }

  async check(): Promise<void> {
    await this.#onAll((objects) => objects.check())
  }

  async put(segment: string, path: string): Promise<void> {
    const writable = this.#buckets.filter(({ isReadOnly }) => !isReadOnly)
    const target = sortByHash(writable, segment)[0]
    if (target === undefined) throw new Error('Every bucket is read-only.')
    await target.put(segment, path)
    this.#remember(segment, target)
  }

  sizeOf(segment: string): Promise<number | null> {
    return this.#ask(segment, (objects) => objects.sizeOf(segment))
  }

  async read(segment: string, offset: number, length: number): Promise<Buffer> {
    let missing: unknown = null
    const bytes = await this.#ask(segment, async (objects) => {
      try {
        return await objects.read(segment, offset, length)
      } catch (error) {
        if (!isMissingSegment(error)) throw error
        missing = error
        return null
      }
    })
    if (bytes === null) throw missing
    return bytes
  }

  async *list(): AsyncGenerator<ListedSegmentObject> {
    const listed = new Map<string, ListedSegmentObject>()
    for (const { objects } of this.#buckets)
      for await (const object of objects.list()) {
        listed.set(object.segment, object)
        this.#remember(object.segment, objects)
      }
    yield* [...listed.values()].sort((a, b) => (a.segment < b.segment ? -1 : 1))
  }

  /** A segment that is being moved is in two buckets. */
  async delete(segment: string): Promise<void> {
    this.#placement.delete(segment)
    await this.#onAll((objects) => objects.delete(segment))
  }

  close(): void {
    for (const { objects } of this.#buckets) objects.close()
  }

  /** The first answer that is not null. A bucket that fails matters only if no other has the segment. */
  async #ask<T>(segment: string, ask: (objects: SegmentObjects) => Promise<T | null>): Promise<T | null> {
    let failure: unknown = null
    for (const objects of this.#candidates(segment)) {
      try {
        const answer = await ask(objects)
        if (answer === null) continue
        this.#remember(segment, objects)
        return answer
      } catch (error) {
        failure ??= error
      }
    }
    if (failure !== null) throw failure
    return null
  }

  /** The bucket in which the segment was last found, then the others. */
  *#candidates(segment: string): Generator<SegmentObjects> {
    const known = this.#placement.get(segment)
    if (known !== undefined) yield known
    for (const objects of sortByHash(this.#buckets, segment)) if (objects !== known) yield objects
  }

  #remember(segment: string, objects: SegmentObjects): void {
    if (this.#placement.size >= MAX_REMEMBERED) this.#placement.clear()
    this.#placement.set(segment, objects)
  }

  async #onAll(operate: (objects: SegmentObjects) => Promise<void>): Promise<void> {
    await Promise.all(this.#buckets.map(({ objects }) => operate(objects)))
  }
}

/** The bucket for a new segment comes first. */
function sortByHash(buckets: readonly Bucket[], segment: string): SegmentObjects[] {
  const weighted = buckets.map(({ key, objects }) => ({ objects, weight: hash('sha256', `${key} ${segment}`) }))
  return weighted.sort((a, b) => (a.weight > b.weight ? -1 : 1)).map(({ objects }) => objects)
}
