// The changes of a crawl as an Atom feed (RFC 4287). Ids do not depend on the address of the server.

import { escapeHtml } from '../../lib/escape-html.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { ChangeKind, PublishedChange } from '../../ports/changes.ts'
import type { Crawl } from '../../ports/crawls.ts'

const KIND_LABELS: Record<ChangeKind, string> = {
  added: 'New',
  changed: 'Changed',
  removed: 'Removed',
  returned: 'Returned',
  redirected: 'Redirected',
}
/** A tag URI (RFC 4151). The domain is reserved, so that nobody else uses it. */
const TAG = 'tag:orbweaver.invalid,2026'

export function toAtomFeed({ id, rootUrl, createdAt }: Crawl, changes: PublishedChange[]): string {
  const updatedAt = Math.max(createdAt, ...changes.map(({ publishedAt }) => publishedAt))
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${TAG}:crawl/${escapeXml(id)}/changes</id>`,
    `<title>Changes on ${escapeXml(rootUrl)}</title>`,
    `<updated>${isoTime(updatedAt)}</updated>`,
    '<author><name>Orbweaver</name></author>',
    `<link rel="self" type="application/atom+xml" href="/api/v1/crawls/${escapeXml(encodeURIComponent(id))}/changes.atom"/>`,
    ...changes.map(toEntry),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function toEntry(change: PublishedChange): string {
  const { id, crawlId, url, kind, title, publishedAt } = change
  return [
    '<entry>',
    `<id>${TAG}:crawl/${escapeXml(crawlId)}/change/${id}</id>`,
    `<title>${KIND_LABELS[kind]}: ${escapeXml(title || url)}</title>`,
    `<link rel="alternate" href="${escapeXml(url)}"/>`,
    `<category term="${kind}"/>`,
    `<updated>${isoTime(publishedAt)}</updated>`,
    `<summary>${escapeXml(describeChange(change))}</summary>`,
    '</entry>',
  ].join('\n')
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 does not allow them, not even escaped.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(FORBIDDEN, '\ufffd'))
}
