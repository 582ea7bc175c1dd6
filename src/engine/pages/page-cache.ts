// Caches recently read pages, bounded by size. The content of a version never changes; the version itself does (it
// moves, is marked as damaged, expires), so the caller looks it up each time, and an entry is only used while the
// version is intact and at the same position.
//
// The least frequently used page is evicted (LFU). A page enters and rises from a floor, and the floor rises to the
// rank of the last evicted page: a page that is no longer read is overtaken eventually, however popular it was.

import type { PageVersion } from '../../ports/pages.ts'
import type { ArchivedPage, PageReader } from './read-archived-page.ts'
import { hasSamePositions } from './retry-if-moved.ts'

interface CachedPage {
  page: ArchivedPage
  bytes: number
  uses: number
  /** The floor at its last use, plus its uses. */
  rank: number
}

/** Memory per entry besides its strings and buffers, and per link or header, in characters. */
const OVERHEAD_BYTES = 1000
const LINK_CHARACTERS = 50
/** Maximum share of one page, so that none evicts all others. */
const LARGEST_PART = 1 / 8
/** Further uses are not counted, so that no entry is far above the floor. */
const MAX_USES = 100

export class PageCache {
  readonly #maxBytes: number
  readonly #load: PageReader
  readonly #entries = new Map<number, CachedPage>()
  /** Ids by rank, least recently used first. */
  readonly #ranks = new Map<number, Set<number>>()
  readonly #loading = new Map<number, Promise<ArchivedPage>>()
  #floor = 0
  #bytes = 0

  constructor(maxBytes: number, load: PageReader) {
    this.#maxBytes = maxBytes
    this.#load = load
  }

  /** Loads a page once, however many concurrent reads there are. */
  async read(version: PageVersion): Promise<ArchivedPage> {
    const known = this.#find(version)
    if (known !== null) {
      this.#use(version.id, known)
      return { ...known.page, version }
    }
    if (version.isDamaged) return this.#load(version)
    const page = await (this.#loading.get(version.id) ?? this.#begin(version))
    return { ...page, version }
  }

  /** Uses cached pages, but adds none. For bulk reads. */
  async readUncached(version: PageVersion): Promise<ArchivedPage> {
    const known = this.#find(version)
    return known === null ? this.#load(version) : { ...known.page, version }
  }

  clear(): void {
    for (const [id, entry] of this.#entries) this.#drop(id, entry)
  }

  get bytes(): number {
    return this.#bytes
  }

  #find(version: PageVersion): CachedPage | null {
    const known = this.#entries.get(version.id)
    if (known === undefined) return null
    if (!version.isDamaged && hasSamePositions(version, known.page.version)) return known
    this.#drop(version.id, known)
    return null
  }

  #begin(version: PageVersion): Promise<ArchivedPage> {
    const loading = this.#load(version)
      .then((page) => this.#add(page))
      .finally(() => this.#loading.delete(version.id))
    this.#loading.set(version.id, loading)
    return loading
  }

  /** Adds the page to the cache if possible. Returns the cached page, or else the page itself. */
  #add(loaded: ArchivedPage): ArchivedPage {
    const bytes = sizeOf(loaded)
    // A page without its own headers was read from a damaged record, which may be repaired in place.
    if (!loaded.hasOwnHeaders || bytes > this.#maxBytes * LARGEST_PART) return loaded
    while (this.#bytes + bytes > this.#maxBytes) this.#evictOne()
    const page = withOwnBuffers(loaded)
    const entry = { page, bytes, uses: 0, rank: this.#floor }
    this.#entries.set(page.version.id, entry)
    this.#bytes += bytes
    this.#use(page.version.id, entry)
    return page
  }

  #use(id: number, cachedPage: CachedPage): void {
    this.#unrank(id, cachedPage)
    cachedPage.uses = Math.min(MAX_USES, cachedPage.uses + 1)
    cachedPage.rank = this.#floor + cachedPage.uses
    const peers = this.#ranks.get(cachedPage.rank)
    if (peers === undefined) this.#ranks.set(cachedPage.rank, new Set([id]))
    else peers.add(id)
  }

  #unrank(id: number, { rank }: CachedPage): void {
    const peers = this.#ranks.get(rank)
    peers?.delete(id)
    if (peers?.size === 0) this.#ranks.delete(rank)
  }

  /** Must only be called if there is an entry. */
  #evictOne(): void {
    let lowest = this.#ranks.get(this.#floor)
    for (; lowest === undefined; lowest = this.#ranks.get(this.#floor)) this.#floor += 1
    for (const id of lowest) {
      const entry = this.#entries.get(id)
      if (entry !== undefined) this.#drop(id, entry)
      return
    }
  }

  #drop(id: number, cachedPage: CachedPage): void {
    this.#unrank(id, cachedPage)
    this.#entries.delete(id)
    this.#bytes -= cachedPage.bytes
  }
}

/** Several records are unpacked into one buffer. A payload that is a part of it would keep all of it in memory. */
function withOwnBuffers(page: ArchivedPage): ArchivedPage {
  const payload = ownBuffer(page.payload)
  return { ...page, payload, body: page.body === page.payload ? payload : ownBuffer(page.body) }
}

function ownBuffer(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}

function sizeOf({ headers, payload, body, html, text, links, author }: ArchivedPage): number {
  const decoded = body === payload ? 0 : body.length
  let characters = (html?.length ?? 0) + text.length + (author?.length ?? 0)
  for (const { url, href, anchorText, rel } of links) {
    characters += LINK_CHARACTERS + url.length + href.length + anchorText.length + rel.length
  }
  for (const [name, value] of headers) characters += LINK_CHARACTERS + name.length + value.length
  return OVERHEAD_BYTES + payload.length + decoded + 2 * characters
}
