// The end of a chain of redirects. Every hop is a separate URL, so the chain is followed through their rows.

import { urlKey } from '../engine/url/url-key.ts'
import type { Browse } from '../ports/browse.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { UrlRow } from '../ports/urls.ts'

/** More hops than a crawl follows. */
const MAX_HOPS = 32

type Redirect = Pick<UrlRow, 'redirectTo'>

export class FinalUrls {
  /** Targets by URL. */
  readonly #targets: ReadonlyMap<string, string>

  private constructor(targets: ReadonlyMap<string, string>) {
    this.#targets = targets
  }

  /** Reads the hops after these rows. */
  static async read(
    browse: Pick<Browse, 'redirectTargets'>,
    { id, keySeed }: Crawl,
    rows: readonly Redirect[],
  ): Promise<FinalUrls> {
    const targets = new Map<string, string>()
    let urls = rows.flatMap(({ redirectTo }) => redirectTo ?? [])
    for (let hop = 0; hop < MAX_HOPS && urls.length > 0; hop += 1) {
      const keyed = [...new Set(urls)].map((url) => ({ url, key: urlKey(url, keySeed) }))
      const found = await browse.redirectTargets(id, keyed)
      for (const [url, target] of found) targets.set(url, target)
      urls = [...found.values()].filter((url) => !targets.has(url))
    }
    return new FinalUrls(targets)
  }

  /** Null if the redirect had no usable target. In a loop, the last URL before it repeats. */
  of({ redirectTo }: Redirect): string | null {
    if (redirectTo === null) return null
    const passed = new Set([redirectTo])
    let url = redirectTo
    for (let next = this.#targets.get(url); next !== undefined && !passed.has(next); next = this.#targets.get(url)) {
      passed.add(next)
      url = next
    }
    return url
  }
}
