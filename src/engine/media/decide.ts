// Which type a file is, by its label and its first bytes together. The label wins where both can be true; where they
// cannot, the bytes do, and the answer says so. In the spirit of https://mimesniff.spec.whatwg.org/

import { isSpace, LESS } from '../parse/characters.ts'
import { sniffHtml } from '../parse/content-type.ts'
import { beginsWith, binaryMediaType } from './binary.ts'
import { HTML } from './html.ts'
import { type KnownType, type NamedType, TYPES } from './list.ts'
import { declaresXml, rootOf } from './root.ts'
import { TEXT } from './text.ts'
import { XML } from './xml.ts'

export interface Decision {
  type: KnownType | 'unknown'
  /** What it is, label or not; '' only for a file without either label or bytes. */
  mediaType: string
  /** Such as `labelled text/html, is application/pdf`, or null. */
  mismatch: string | null
}

interface Found {
  type: NamedType | null
  mediaType: string
}

/** Labels that say nothing, or are the default of a server that does not know. */
const VAGUE: ReadonlySet<string> = new Set([
  '',
  'application/binary',
  'application/download',
  'application/force-download',
  'application/octet-stream',
  'application/unknown',
  'application/x-download',
  'binary/octet-stream',
  'unknown/unknown',
  '*/*',
])

const BY_LABEL: ReadonlyMap<string, NamedType> = new Map(
  TYPES.flatMap((type) => type.mediaTypes.map((label) => [label, type] as const)),
)
const BY_ROOT: ReadonlyMap<string, { type: NamedType; mediaType: string }> = new Map(
  TYPES.flatMap((type) => Object.entries(type.roots).map(([root, mediaType]) => [root, { type, mediaType }] as const)),
)
const ROOT_INITIALS: ReadonlySet<number> = new Set(
  [...BY_ROOT.keys(), '?xml'].flatMap((name) => [name.charCodeAt(0), name.toUpperCase().charCodeAt(0)]),
)

const PLAIN_HTML: Decision = { type: 'html', mediaType: 'text/html', mismatch: null }
/** As most pages begin. */
const DOCTYPE = '<!doctype html'
const LESS_BANG = 0x3c21
const ZIP = 'application/zip'

export function decide(contentType: string, body: Buffer): Decision {
  if (contentType.startsWith('text/html') && hasDoctype(body)) return PLAIN_HTML
  const label = essenceOf(contentType)
  const isVague = VAGUE.has(label)
  const labelled = BY_LABEL.get(label) ?? (label.endsWith('+xml') ? XML : null)
  // A label that nobody here knows is believed: the file of a word processor is a zip, and yet it is none.
  if (body.length === 0 || (labelled === null && !isVague)) return as(labelled, label, null)
  const found = findBySignature(body, labelled) ?? findByRoot(body, labelled) ?? findByLabel(body, labelled)
  if (isVague) return as(found.type, found.mediaType, null)
  if (found.type !== null && (found.type === labelled || (labelled === XML && isXml(found.type)))) {
    return as(found.type, label, null)
  }
  return as(found.type, found.mediaType, `labelled ${label}, is ${found.mediaType}`)
}

function hasDoctype(body: Buffer): boolean {
  if (body.length < DOCTYPE.length || body.readUInt16BE(0) !== LESS_BANG) return false
  return body.toString('latin1', 0, DOCTYPE.length).toLowerCase() === DOCTYPE
}

function as(type: NamedType | null, mediaType: string, mismatch: string | null): Decision {
  return { type: type?.name ?? 'unknown', mediaType, mismatch }
}

function essenceOf(contentType: string): string {
  const end = contentType.search(/[;,]/)
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

function findBySignature(body: Buffer, labelled: NamedType | null): Found | null {
  for (const type of TYPES) {
    if (type.signature !== null && beginsWith(body, type.signature)) return { type, mediaType: type.mediaTypes[0] }
  }
  const mediaType = binaryMediaType(body)
  if (mediaType === null) return null
  return (mediaType === ZIP ? findInZip(body, labelled) : null) ?? { type: null, mediaType }
}

/** A label that names a kind of zip is believed, as any that can be true. */
function findInZip(zip: Buffer, labelled: NamedType | null): Found | null {
  const isLabelled = labelled !== null && labelled.isInZip !== null
  const type = isLabelled ? labelled : TYPES.find(({ isInZip }) => isInZip?.(zip))
  return type === undefined ? null : { type, mediaType: type.mediaTypes[0] }
}

/** XML under its own label, or feeds and the like under another. Plain text stays that, as in browsers. */
function findByRoot(body: Buffer, labelled: NamedType | null): Found | null {
  if (labelled === TEXT) return null
  if (labelled !== null && isXml(labelled)) {
    const root = rootOf(body)
    return kindOf(root, body) ?? (root === '' ? null : { type: XML, mediaType: XML.mediaTypes[0] })
  }
  if (!mayHaveRoot(body)) return null
  const kind = kindOf(rootOf(body), body)
  // Without its declaration an html root is that of a page; under the label of a page it is so always.
  if (labelled === null && declaresXml(body)) return kind ?? { type: XML, mediaType: XML.mediaTypes[0] }
  return kind === null || kind.type.isPage ? null : kind
}

function kindOf(root: string, body: Buffer): (Found & { type: NamedType }) | null {
  const kind = BY_ROOT.get(root) ?? null
  return kind?.type.isValid(body) ? kind : null
}

/** Most pages begin with a document type, and need no more than this look. */
function mayHaveRoot(body: Buffer): boolean {
  let at = beginsWith(body, '\xef\xbb\xbf') ? 3 : 0
  while (isSpace(body[at] ?? -1)) at++
  return body[at] === LESS && ROOT_INITIALS.has(body[at + 1] ?? -1)
}

function findByLabel(body: Buffer, labelled: NamedType | null): Found {
  if (labelled?.isValid(body)) return { type: labelled, mediaType: labelled.mediaTypes[0] }
  if (labelled !== TEXT && sniffHtml(body)) return { type: HTML, mediaType: HTML.mediaTypes[0] }
  if (TEXT.isValid(body)) return { type: TEXT, mediaType: TEXT.mediaTypes[0] }
  return { type: null, mediaType: 'application/octet-stream' }
}

function isXml(type: NamedType): boolean {
  return type === XML || Object.keys(type.roots).length > 0
}
