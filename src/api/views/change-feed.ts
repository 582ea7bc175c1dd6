// The changes of a crawl as an Atom feed.

import type { ChangeKind, PublishedChange } from '../../ports/changes.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { type AtomEntry, writeAtomFeed } from './atom-feed.ts'

const KIND_LABELS: Record<ChangeKind, string> = {
  added: 'New',
  changed: 'Changed',
  removed: 'Removed',
  returned: 'Returned',
  redirected: 'Redirected',
}

export function toAtomFeed({ id, rootUrl, createdAt }: Crawl, changes: PublishedChange[], baseUrl: string): string {
  return writeAtomFeed({
    id: `crawl/${id}/changes`,
    title: `Changes on ${rootUrl}`,
    url: `${baseUrl}/api/v1/crawls/${encodeURIComponent(id)}/changes.atom`,
    createdAt,
    entries: changes.map(toEntry),
  })
}

function toEntry(change: PublishedChange): AtomEntry {
  const { id, crawlId, url, kind, title, publishedAt } = change
  return {
    id: `crawl/${crawlId}/change/${id}`,
    title: `${KIND_LABELS[kind]}: ${title || url}`,
    url,
    category: kind,
    updatedAt: publishedAt,
    summary: describeChange(change),
  }
}

function describeChange({ summary, wordsAdded, wordsRemoved }: PublishedChange): string {
  const words =
    wordsAdded === null || wordsRemoved === null
      ? 'The texts could not be compared.'
      : `${countOf(wordsAdded)} added, ${countOf(wordsRemoved)} removed.`
  return summary === '' ? words : `${summary}\n${words}`
}

function countOf(words: number): string {
  return `${words} ${words === 1 ? 'word' : 'words'}`
}
