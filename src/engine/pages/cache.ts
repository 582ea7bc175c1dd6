// Pages read lately, bounded by their size, and none longer than it is kept. When room is needed, of some that were not asked for lately the one asked
// for least goes (LFU by sample), so that one reader of everything does not push out what all others want.

import type { ReadPage } from './read.ts'

interface Entry {
  page: ReadPage
  bytes: number
  uses: number
}

const SAMPLE = 8
/** What an entry takes besides its strings and buffers. */
const OVERHEAD_BYTES = 1000

export class PageCache {
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #entries = new Map<number, Entry>()
  readonly #loading = new Map<number, Promise<ReadPage>>()
  #bytes = 0

  constructor(maxBytes: number, now: () => number) {
    this.#maxBytes = maxBytes
    this.#now = now
  }

  /** Loads a page once, however many ask for it at the same time. `load` looks whether it is still kept. */
  async get(pageId: number, load: () => Promise<ReadPage>): Promise<ReadPage> {
    const known = this.#entries.get(pageId)
    if (known !== undefined && this.#isOver(known.page)) this.#drop(pageId)
    else if (known !== undefined) {
      known.uses += 1
      // Last in the map: the order is that of use.
      this.#entries.delete(pageId)
      this.#entries.set(pageId, known)
      return known.page
    }
    const loading = this.#loading.get(pageId) ?? this.#load(pageId, load)
    return loading
  }

  get bytes(): number {
    return this.#bytes
  }

  #load(pageId: number, load: () => Promise<ReadPage>): Promise<ReadPage> {
    const loading = load()
      .then((page) => {
        this.#keep(pageId, page)
        return page
      })
      .finally(() => this.#loading.delete(pageId))
    this.#loading.set(pageId, loading)
    return loading
  }

  #keep(pageId: number, page: ReadPage): void {
    const bytes = sizeOf(page)
    if (bytes > this.#maxBytes || this.#isOver(page)) return
    while (this.#bytes + bytes > this.#maxBytes) this.#dropOne()
    this.#entries.set(pageId, { page, bytes, uses: 1 })
    this.#bytes += bytes
  }

  #dropOne(): void {
    let victim: { id: number; uses: number } | null = null
    let looked = 0
    for (const [id, { uses }] of this.#entries) {
      if (victim === null || uses < victim.uses) victim = { id, uses }
      looked += 1
      if (looked === SAMPLE) break
    }
    if (victim !== null) this.#drop(victim.id)
  }

  #drop(pageId: number): void {
    this.#bytes -= this.#entries.get(pageId)?.bytes ?? 0
    this.#entries.delete(pageId)
  }

  #isOver({ version: { expiresAt } }: ReadPage): boolean {
    return expiresAt !== null && expiresAt <= this.#now()
  }
}

function sizeOf({ payload, body, html, text, links }: ReadPage): number {
  const decoded = body === payload ? 0 : body.length
  return OVERHEAD_BYTES + payload.length + decoded + 2 * ((html?.length ?? 0) + text.length) + links.length * 200
}
