// Decides which links of a page enter the crawl: resolved, in scope, not reported before. A link that does not is
// counted by reason and forgotten.

import type { FoundUrl } from '../../ports/frontier.ts'
import { hashUrl, type KeyLanes, lanesToKey } from '../url/key.ts'
import type { Resolver } from '../url/resolve.ts'
import type { Scope } from '../url/scope.ts'
import type { SeenSet } from '../url/seen.ts'

export interface Admitted {
  found: FoundUrl[]
  /** Keys of all links in scope, each once, 8 bytes little-endian. */
  linkKeys: Uint8Array | null
}

export interface AdmitParts {
  scope: Scope
  seen: SeenSet
  keySeed: number
  maxDepth: number | null
}

export class Admit {
  readonly #parts: AdmitParts
  readonly #key: KeyLanes = { hi: 0, lo: 0 }
  /** Keys of the page at hand; the whole table is stamped instead of cleared. */
  readonly #onPage = new PageKeys()
  #rejected: Record<string, number> = {}

  constructor(parts: AdmitParts) {
    this.#parts = parts
  }

  /** The links of one page at `depth`; they lie one step deeper, or at the same depth for a redirect. */
  links(links: Iterable<{ href: string }>, resolver: Resolver, depth: number, isRedirect: boolean): Admitted {
    const { scope, seen, keySeed, maxDepth } = this.#parts
    const found: FoundUrl[] = []
    const key = this.#key
    const linkDepth = isRedirect ? depth : depth + 1
    // Beyond the limit the store keeps the links aside, so it needs them all (see the store's discover.ts).
    const isBeyond = maxDepth !== null && linkDepth > maxDepth
    this.#onPage.start()
    for (const link of links) {
      const target = resolver.resolve(link.href)
      if (target === null) continue
      if ('problem' in target) {
        this.#reject(target.problem)
        continue
      }
      const outOfScope = scope.judge(target.url, target.host)
      if (outOfScope !== null) {
        this.#reject(outOfScope)
        continue
      }
      hashUrl(target.url, keySeed, key)
      if (!this.#onPage.add(key)) continue
      if (isBeyond) this.#reject('depth')
      if (isBeyond || seen.isNews(key, linkDepth)) {
        found.push({ url: target.url, host: target.host, key: lanesToKey(key) })
      }
    }
    return { found, linkKeys: this.#onPage.bytes() }
  }

  takeRejected(): Record<string, number> {
    const rejected = this.#rejected
    this.#rejected = {}
    return rejected
  }

  #reject(reason: string): void {
    this.#rejected[reason] = (this.#rejected[reason] ?? 0) + 1
  }
}

/** The distinct keys of one page, in order of appearance, and their bytes. */
class PageKeys {
  #slots = new Uint32Array(256)
  #stamp = 0
  #stamps = new Uint32Array(256)
  #keys = new Uint32Array(256)
  #count = 0

  start(): void {
    this.#stamp += 1
    this.#count = 0
  }

  add(key: KeyLanes): boolean {
    if (this.#count * 4 >= this.#slots.length) this.#grow()
    const slot = this.#find(key.lo, key.hi)
    if (this.#stamps[slot] === this.#stamp) return false
    this.#stamps[slot] = this.#stamp
    this.#slots[slot] = this.#count
    this.#keys[this.#count * 2] = key.lo
    this.#keys[this.#count * 2 + 1] = key.hi
    this.#count += 1
    return true
  }

  bytes(): Uint8Array | null {
    if (this.#count === 0) return null
    return new Uint8Array(this.#keys.buffer.slice(0, this.#count * 8))
  }

  #find(lo: number, hi: number): number {
    const mask = this.#slots.length - 1
    let slot = (lo ^ hi) & mask
    while (this.#stamps[slot] === this.#stamp) {
      const at = (this.#slots[slot] as number) * 2
      if (this.#keys[at] === lo && this.#keys[at + 1] === hi) break
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    const keys = this.#keys
    const size = this.#slots.length * 2
    this.#slots = new Uint32Array(size)
    this.#stamps = new Uint32Array(size)
    this.#keys = new Uint32Array(size)
    this.#keys.set(keys)
    this.#stamp = 1
    for (let i = 0; i < this.#count; i++) {
      const slot = this.#find(keys[i * 2] as number, keys[i * 2 + 1] as number)
      this.#stamps[slot] = 1
      this.#slots[slot] = i
    }
  }
}
