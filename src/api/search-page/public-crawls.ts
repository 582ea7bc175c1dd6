// The crawls that the search page shows. Chosen by the operator with --public-search; no crawl is public by default.

import type { Crawls } from '../../ports/crawls.ts'

const ALL = 'all'

export interface PublicCrawls {
  /** Null for all crawls. */
  ids: readonly string[] | null
  includes(crawlId: string): boolean
  /** Expands the start of an id; null if no public crawl has it, or several have. */
  find(prefix: string): string | null
}

/** Null if there is no search page. Throws CRAWL_NOT_FOUND if a crawl does not exist. */
export async function findPublicCrawls(
  names: readonly string[],
  crawls: Pick<Crawls, 'find'>,
): Promise<PublicCrawls | null> {
  if (names.length === 0) return null
  // Ids have to be complete, since readers know no ids that they could shorten.
  if (names.includes(ALL)) return { ids: null, includes: () => true, find: (prefix) => prefix }
  const ids: string[] = []
  for (const name of names) ids.push((await crawls.find(name)).id)
  return {
    ids,
    includes: (crawlId) => ids.includes(crawlId),
    find(prefix) {
      const [id, ...others] = ids.filter((one) => one.startsWith(prefix))
      return others.length === 0 ? (id ?? null) : null
    },
  }
}
