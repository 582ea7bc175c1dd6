// Detects the type of a file from its label and its first bytes. The label wins if both can be true; otherwise the
// bytes win, and the result says so. In the spirit of https://mimesniff.spec.whatwg.org/

import { isSpace, LESS } from '../parse/characters.ts'
import { sniffHtml } from '../parse/charset/sniff-html.ts'
import { declaresXml, readRootName } from '../xml/xml-root.ts'
import { beginsWith, binaryMediaType } from './binary-signatures.ts'
import { CONTENT_TYPES, type ContentTypeName, type KnownContentType } from './content-types.ts'
import { HTML } from './types/html.ts'
import { TEXT } from './types/text.ts'
import { XML } from './types/xml.ts'

export interface DetectedType {
  type: ContentTypeName | 'unknown'
  /** The detected media type; '' only for a file with neither label nor bytes. */
  mediaType: string
  /** For example `labelled text/html, is application/pdf`; null if there is no mismatch. */
  mismatch: string | null
}

interface SniffedType {
  type: KnownContentType | null
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

const BY_LABEL: ReadonlyMap<string, KnownContentType> = new Map(
  CONTENT_TYPES.flatMap((type) => type.mediaTypes.map((label) => [label, type] as const)),
)
const BY_ROOT: ReadonlyMap<string, { type: KnownContentType; mediaType: string }> = new Map(
  CONTENT_TYPES.flatMap((type) =>
    Object.entries(type.roots).map(([root, mediaType]) => [root, { type, mediaType }] as const),
  ),
)
const ROOT_INITIALS: ReadonlySet<number> = new Set(
  [...BY_ROOT.keys(), '?xml'].flatMap((name) => [name.charCodeAt(0), name.toUpperCase().charCodeAt(0)]),
)

const PLAIN_HTML: DetectedType = { type: 'html', mediaType: 'text/html', mismatch: null }
/** The start of most pages. */
const DOCTYPE = '<!doctype html'
const LESS_BANG = 0x3c21
const ZIP = 'application/zip'

export function detectContentType(contentType: string, body: Buffer): DetectedType {
  if (contentType.startsWith('text/html') && hasDoctype(body)) return PLAIN_HTML
  const label = essenceOf(contentType)
  const isVague = VAGUE.has(label)
  const labelled = BY_LABEL.get(label) ?? (label.endsWith('+xml') ? XML : null)
  // An unknown label is trusted: a word processor file is a zip by its bytes, and yet not a zip.
  if (body.length === 0 || (labelled === null && !isVague)) return toDetectedType(labelled, label, null)
  const sniffedType = findBySignature(body, labelled) ?? findByRoot(body, labelled) ?? findByLabel(body, labelled)
  if (isVague) return toDetectedType(sniffedType.type, sniffedType.mediaType, null)
  if (sniffedType.type !== null && (sniffedType.type === labelled || (labelled === XML && isXml(sniffedType.type)))) {
    return toDetectedType(sniffedType.type, label, null)
  }
  return toDetectedType(sniffedType.type, sniffedType.mediaType, `labelled ${label}, is ${sniffedType.mediaType}`)
}

function hasDoctype(body: Buffer): boolean {
  if (body.length < DOCTYPE.length || body.readUInt16BE(0) !== LESS_BANG) return false
  return body.toString('latin1', 0, DOCTYPE.length).toLowerCase() === DOCTYPE
}

function toDetectedType(type: KnownContentType | null, mediaType: string, mismatch: string | null): DetectedType {
  return { type: type?.name ?? 'unknown', mediaType, mismatch }
}

function essenceOf(contentType: string): string {
  const end = contentType.search(/[;,]/)
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

function findBySignature(body: Buffer, labelled: KnownContentType | null): SniffedType | null {
  for (const type of CONTENT_TYPES) {
    if (type.signature !== null && beginsWith(body, type.signature)) return { type, mediaType: type.mediaTypes[0] }
  }
  const mediaType = binaryMediaType(body)
  if (mediaType === null) return null
  return (mediaType === ZIP ? findInZip(body, labelled) : null) ?? { type: null, mediaType }
}

/** A label that names a kind of zip is trusted, like any label that can be true. */
function findInZip(zip: Buffer, labelled: KnownContentType | null): SniffedType | null {
  const isLabelled = labelled !== null && labelled.isInZip !== null
  const type = isLabelled ? labelled : CONTENT_TYPES.find(({ isInZip }) => isInZip?.(zip))
  return type === undefined ? null : { type, mediaType: type.mediaTypes[0] }
}

/** XML under its own label, or feeds and the like under another. Plain text stays plain text, as in browsers. */
function findByRoot(body: Buffer, labelled: KnownContentType | null): SniffedType | null {
  if (labelled === TEXT) return null
  if (labelled !== null && isXml(labelled)) {
    const root = readRootName(body)
    return typeByRoot(root, body) ?? (root === '' ? null : { type: XML, mediaType: XML.mediaTypes[0] })
  }
  if (!mayHaveRoot(body)) return null
  const kind = typeByRoot(readRootName(body), body)
  // Without an XML declaration, or if the label says HTML, an html root means a page.
  if (labelled === null && declaresXml(body)) return kind ?? { type: XML, mediaType: XML.mediaTypes[0] }
  return kind === null || kind.type.isPage ? null : kind
}

function typeByRoot(root: string, body: Buffer): (SniffedType & { type: KnownContentType }) | null {
  const kind = BY_ROOT.get(root) ?? null
  return kind?.type.isValid(body) ? kind : null
}

/** Most pages start with a doctype, which this check rules out quickly. */
function mayHaveRoot(body: Buffer): boolean {
  let at = beginsWith(body, '\xef\xbb\xbf') ? 3 : 0
  while (isSpace(body[at] ?? -1)) at++
  return body[at] === LESS && ROOT_INITIALS.has(body[at + 1] ?? -1)
}

function findByLabel(body: Buffer, labelled: KnownContentType | null): SniffedType {
  if (labelled?.isValid(body)) return { type: labelled, mediaType: labelled.mediaTypes[0] }
  if (labelled !== TEXT && sniffHtml(body)) return { type: HTML, mediaType: HTML.mediaTypes[0] }
  if (TEXT.isValid(body)) return { type: TEXT, mediaType: TEXT.mediaTypes[0] }
  return { type: null, mediaType: 'application/octet-stream' }
}

function isXml(type: KnownContentType): boolean {
  return type === XML || Object.keys(type.roots).length > 0
}
