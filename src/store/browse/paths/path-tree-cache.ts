// Path trees of the crawls that are looked at. Reading one takes a pass over the crawl (0.2 s of CPU for 100,000 URLs,
// 2026-11), so the tree of a crawl that does not run is kept until the crawl changes, and that of a running one for
// twenty times as long as it took.

import { AdaptiveCache } from '../../../lib/adaptive-cache.ts'
import type { BrowseDb, CrawlLedger } from '../browse-db.ts'
import { buildPathTree } from './build-path-tree.ts'
import type { PathTree } from './path-tree.ts'
import { readTreeLinks, type TreeLinks } from './tree-links.ts'

const CACHE_FACTOR = 20
/** Crawls in the cache. */
const MAX_CACHED = 2
const UNCHANGED_MS = 3_600_000

export class CrawlTree {
  readonly tree: PathTree
  readonly #readLinks: () => Promise<TreeLinks>
  #links: Promise<TreeLinks> | null = null

  constructor(tree: PathTree, readLinks: () => Promise<TreeLinks>) {
    this.tree = tree
    this.#readLinks = readLinks
  }

  /** Read when they are needed first. */
  links(): Promise<TreeLinks> {
    const links = this.#links ?? this.#readLinks()
    this.#links = links
    links.catch(() => {
      this.#links = null
    })
    return links
  }
}

export class PathTreeCache {
  readonly #db: BrowseDb
  readonly #running: AdaptiveCache<CrawlTree>
  readonly #unchanged: AdaptiveCache<CrawlTree>

  constructor(db: BrowseDb) {
    const now = () => db.now()
    this.#db = db
    this.#running = new AdaptiveCache(now, {
      factor: CACHE_FACTOR,
      leastMs: 0,
      maxEntries: MAX_CACHED,
      servesStale: true,
    })
    this.#unchanged = new AdaptiveCache(now, { leastMs: UNCHANGED_MS, maxEntries: MAX_CACHED })
  }

  get({ rowId, version }: CrawlLedger): Promise<CrawlTree> {
    const build = async () => {
      const tree = await buildPathTree(this.#db, rowId)
      return new CrawlTree(tree, () => readTreeLinks(this.#db, rowId, tree))
    }
    return version === null
      ? this.#running.get(String(rowId), build)
      : this.#unchanged.get(`${rowId} ${version}`, build)
  }

  clear(): void {
    this.#running.clear()
    this.#unchanged.clear()
  }
}
