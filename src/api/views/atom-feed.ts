// Atom feeds (RFC 4287). Ids do not depend on the address of the server.

import { escapeHtml } from '../../lib/escape-html.ts'
import { isoTime } from '../../lib/iso-time.ts'

export interface AtomFeed {
  /** The part of the id after the tag, such as `crawl/<id>/changes`. */
  id: string
  title: string
  /** URL of the feed. */
  url: string
  createdAt: number
  entries: AtomEntry[]
}

export interface AtomEntry {
  id: string
  title: string
  url: string
  category: string
  updatedAt: number
  summary: string
}

/** A tag URI (RFC 4151). The domain is reserved, so it cannot belong to someone else. */
const TAG = 'tag:orbweaver.invalid,2026'

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

export function writeAtomFeed({ id, title, url, createdAt, entries }: AtomFeed): string {
  const updatedAt = Math.max(createdAt, ...entries.map((entry) => entry.updatedAt))
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${TAG}:${escapeXml(id)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<updated>${isoTime(updatedAt)}</updated>`,
    '<author><name>Orbweaver</name></author>',
    `<link rel="self" type="application/atom+xml" href="${escapeXml(url)}"/>`,
    ...entries.map(writeEntry),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function writeEntry({ id, title, url, category, updatedAt, summary }: AtomEntry): string {
  return [
    '<entry>',
    `<id>${TAG}:${escapeXml(id)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<link rel="alternate" href="${escapeXml(url)}"/>`,
    `<category term="${escapeXml(category)}"/>`,
    `<updated>${isoTime(updatedAt)}</updated>`,
    `<summary>${escapeXml(summary)}</summary>`,
    '</entry>',
  ].join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 does not allow them, not even escaped.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(FORBIDDEN, '\ufffd'))
}
