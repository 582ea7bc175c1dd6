// The end of a chain of redirects. Every hop is a URL of its own, so the chain is followed through their rows.

import { urlKey } from '../../engine/url/url-key.ts'
import type { Browse } from '../../ports/browse.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { UrlRow } from '../../ports/urls.ts'

/** As many as a crawl follows, and more. */
const MAX_HOPS = 32

type Redirect = Pick<UrlRow, 'redirectTo'>

export class FinalUrls {
  readonly #next = new Map<string, string>()

  /** Reads the hops after these rows. */
  static async read(browse: Pick<Browse, 'redirectTargets'>, crawl: Crawl, rows: readonly Redirect[]) {
    const finalUrls = new FinalUrls()
    await finalUrls.add(browse, crawl, rows)
    return finalUrls
  }

  async add(browse: Pick<Browse, 'redirectTargets'>, crawl: Crawl, rows: readonly Redirect[]): Promise<void> {
    let urls = rows.flatMap(({ redirectTo }) => redirectTo ?? [])
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const unknown = [...new Set(urls)].filter((url) => !this.#next.has(url))
      if (unknown.length === 0) return
      const keyed = unknown.map((url) => ({ url, key: urlKey(url, crawl.keySeed) }))
      const targets = await browse.redirectTargets(crawl.id, keyed)
      for (const [url, target] of targets) this.#next.set(url, target)
      urls = [...targets.values()]
    }
  }

  /** Null if the redirect had no usable target. In a loop, the last URL before it repeats. */
  of({ redirectTo }: Redirect): string | null {
    if (redirectTo === null) return null
    const passed = new Set([redirectTo])
    let url = redirectTo
    for (let next = this.#next.get(url); next !== undefined && !passed.has(next); next = this.#next.get(url)) {
      passed.add(next)
      url = next
    }
    return url
  }
}
