// Decides which links of a page enter the crawl: resolved, in scope, not reported before. A link that does not is
// counted by reason and forgotten.

import { detachAscii } from '../../lib/detach.ts'
import { type FoundUrl, MAX_REDIRECTS } from '../../ports/frontier.ts'
import { hashOrigin, hashRest, hashUrl, type KeyLanes, lanesToKey } from '../url/key.ts'
import type { Normalised } from '../url/normalise.ts'
import type { Resolver } from '../url/resolve.ts'
import type { Scope } from '../url/scope.ts'
import type { SeenSet } from '../url/seen.ts'
import { PageKeys } from './page-keys.ts'

export interface AdmitParts {
  scope: Scope
  seen: SeenSet
  keySeed: number
  maxDepth: number | null
}

/** Where links lead: one step deeper than their page, or for a redirect to the same depth and one hop further. */
export interface LinkPlace {
  resolver: Resolver
  depth: number
  hops: number
}

/** Depth counts first, hops among equals; hops fit below one step of depth. */
const HOPS = 16
const BEYOND = -1

export class Admit {
  readonly #parts: AdmitParts
  readonly #key: KeyLanes = { hi: 0, lo: 0 }
  readonly #origin: KeyLanes = { hi: 0, lo: 0 }
  readonly #pageKeys = new PageKeys()
  #rejected: Record<string, number> = {}

  constructor(parts: AdmitParts) {
    this.#parts = parts
  }

  /** Keys of every admitted link since they were last taken. */
  get linkKeys(): PageKeys {
    return this.#pageKeys
  }

  /** The links of one page that are news. */
  links(links: Iterable<{ href: string }>, place: LinkPlace): FoundUrl[] {
    const { scope, keySeed, maxDepth } = this.#parts
    const { resolver, depth, hops } = place
    const found: FoundUrl[] = []
    // Beyond a limit the store keeps the links aside, so it needs them all (see the store's discover.ts).
    const isTooDeep = maxDepth !== null && depth > maxDepth
    const distance = isTooDeep || hops > MAX_REDIRECTS ? BEYOND : depth * HOPS + hops
    const isOriginIn = scope.isByHostAlone && scope.judge(resolver.origin, resolver.host) === null
    hashOrigin(resolver.origin, keySeed, this.#origin)
    this.#pageKeys.startPage()
    for (const { href } of links) {
      // The way of most links: no url is put together unless it is news.
      const path = isOriginIn ? resolver.plain(href) : null
      if (path !== null) {
        hashRest(path, this.#origin, this.#key)
        if (this.#isNews(distance)) found.push(this.#found(resolver.origin + path, resolver.host))
        continue
      }
      const target = this.#judge(resolver.exact(href))
      if (target === null) continue
      hashUrl(target.url, keySeed, this.#key)
      if (this.#isNews(distance)) found.push(this.#found(target.url, target.host))
    }
    return found
  }

  #judge(target: Normalised | null): { url: string; host: string } | null {
    if (target === null) return null
    const reason = 'problem' in target ? target.problem : this.#parts.scope.judge(target.url, target.host)
    if (reason !== null) this.#reject(reason)
    return reason === null && 'url' in target ? target : null
  }

  #isNews(distance: number): boolean {
    if (!this.#pageKeys.add(this.#key)) return false
    if (distance !== BEYOND) return this.#parts.seen.isNews(this.#key, distance)
    this.#reject('beyond_limit')
    return true
  }

  #found(url: string, host: string): FoundUrl {
    return { url: detachAscii(url), host, key: lanesToKey(this.#key) }
  }

  /** Forgets what was reported, when it turns out that it did not count. */
  startOver(): void {
    this.#parts.seen.clear()
    this.#pageKeys.takeAll()
    this.#rejected = {}
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
