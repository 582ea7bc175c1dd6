// Changes of watched sites, as programs see them.

import { parsePageUrl } from '../api/requests/page-url.ts'
import type { ChangeKind, Changes, FactChanges, PublishedChange } from '../ports/changes.ts'

export interface ChangeOptions {
  /** The id of a crawl or the start of it; by default all crawls. */
  crawlId?: string
  url?: string
  /** Visited at or after this time. */
  since?: Date
  /** Kinds of changes; by default all. */
  kinds?: readonly ChangeKind[]
}

export interface PageChange {
  id: number
  crawlId: string
  url: string
  kind: ChangeKind
  /** When the change was seen. */
  at: Date
  title: string | null
  summary: string
  /** Null if the text could not be compared. */
  wordsAdded: number | null
  wordsRemoved: number | null
  /** Changed facts, such as the title or the HTTP status. */
  facts: FactChanges
  /** The new version; null if none was archived. */
  pageId: number | null
  /** The last version before it that was a page. */
  previousPageId: number | null
}

const READ_AT_ONCE = 200

/** The newest first. */
export async function* listChanges(
  changes: Pick<Changes, 'list'>,
  { url, since, kinds = [] }: ChangeOptions,
  crawlId: string | null,
): AsyncGenerator<PageChange> {
  const about = { crawlId, url: url === undefined ? null : parsePageUrl(url) }
  const filter = { ...about, kinds, since: since?.getTime() ?? null, until: null, minWords: 0 }
  for (let after: number | null = null; ; ) {
    const found: PublishedChange[] = await changes.list({ ...filter, order: 'newest', after, limit: READ_AT_ONCE })
    yield* found.map(toChange)
    after = found.at(-1)?.cursor ?? null
    if (found.length < READ_AT_ONCE) return
  }
}

function toChange(change: PublishedChange): PageChange {
  const { id, crawlId, url, kind, title, summary, wordsAdded, wordsRemoved, facts, pageId, previousPageId } = change
  const at = new Date(change.at)
  return { id, crawlId, url, kind, at, title, summary, wordsAdded, wordsRemoved, facts, pageId, previousPageId }
}
