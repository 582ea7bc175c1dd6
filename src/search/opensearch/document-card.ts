// The card of a document: all data that decides about its place among the hits, in one value that is read for every
// candidate. Base64 of the length of the facts in four bytes, the facts as JSON, and the term bag.

import type { StoredDocument } from './document-source.ts'

export interface CardFacts {
  page: number
  url: string
  host: string
  title: string
  lang: string | null
  contentType: string | null
  fingerprint: string | null
  changedAt: number
  linkRank: number
  /** Number of terms in all fields. */
  length: number
}

const KEYS = [
  'page',
  'url',
  'host',
  'title',
  'lang',
  'contentType',
  'fingerprint',
  'changedAt',
  'linkRank',
  'length',
] as const satisfies (keyof CardFacts)[]
const LENGTH_BYTES = 4

export function packCard(document: StoredDocument, bag: Uint8Array): string {
  const { page, url, host, title, lang, fingerprint, length } = document
  const { content_type: contentType, changed_at: changedAt, link_rank: linkRank } = document
  const facts: CardFacts = { page, url, host, title, lang, contentType, fingerprint, changedAt, linkRank, length }
  const json = Buffer.from(JSON.stringify(KEYS.map((key) => facts[key])))
  const size = Buffer.alloc(LENGTH_BYTES)
  size.writeUInt32LE(json.length)
  return Buffer.concat([size, json, bag]).toString('base64')
}

export function unpackCard(card: string): CardFacts & { bag: Uint8Array } {
  const bytes = Buffer.from(card, 'base64')
  const end = LENGTH_BYTES + bytes.readUInt32LE(0)
  const values = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as unknown[]
  const facts = Object.fromEntries(KEYS.map((key, i) => [key, values[i]])) as unknown as CardFacts
  return { ...facts, bag: bytes.subarray(end) }
}
