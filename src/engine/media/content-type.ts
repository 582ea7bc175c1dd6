// The interface of a content type: how it is recognised, and what is extracted from it.

import type { DocumentRequest } from './document-types.ts'

export interface ContentType {
  /** Name in the code, and in reasons such as `pdf_encrypted`. It is not stored. */
  name: string
  /** Media types in Content-Type headers, in lower case. The first one is the official name. */
  mediaTypes: readonly [string, ...string[]]
  /** First bytes of a file, one character per byte, or null if it can start with any. */
  signature: string | null
  /** For XML types: root elements, in lower case, and the media type of a file with that root. */
  roots: Readonly<Record<string, string>>
  /** For types that are zips with certain files: whether these are present. Null for any other type. */
  isInZip: ((zip: Buffer) => boolean) | null
  /** Whether the bytes can belong to a file with this label. Checks only the first of them. */
  isValid(body: Buffer): boolean
  /**
   * A crawl reads it with crawl/visit/read-html-page.ts, which is faster and handles directives for crawlers; all others use
   * `extract`.
   */
  isPage: boolean
  /** Takes long enough for a document reader (worker/documents): `extract` then calls `readDocument`. */
  isHeavy(body: Buffer): boolean
  /** Null if nothing is extracted from the type. */
  extract: ExtractFunction | null
}

/** Never throws: `problem` says why something could not be read. */
export type ExtractFunction = (body: Buffer, context: ExtractContext) => ExtractedContent | Promise<ExtractedContent>

export interface ExtractContext {
  url: string
  contentType: string
  /** Document readers have time and memory limits; they belong to the caller. */
  readDocument: DocumentReaderFunction
}

export type DocumentReaderFunction = (request: DocumentRequest) => Promise<ExtractedContent>

export interface ExtractedLink {
  /** The target as written in the file, not resolved. */
  href: string
  /** Relation in lower case, or ''. */
  rel: string
  text: string
  /** When the target was published or changed, if a feed says so (ms since 1970). */
  modifiedAt?: number
}

export interface ExtractedContent {
  title: string
  description: string
  keywords: string
  author: string
  lang: string
  /** Text of at most MAX_TEXT characters. */
  text: string
  /** At most MAX_LINKS. */
  links: readonly ExtractedLink[]
  /** Number of pages, if the format has pages. */
  pages: number | null
  /** A short code for why it could not be read, or not completely. */
  problem: string | null
  /** Set if the content was not extracted, but reported by an external indexer together with the bytes. */
  isReported?: true
}

export const NO_CONTENT: Readonly<ExtractedContent> = {
  title: '',
  description: '',
  keywords: '',
  author: '',
  lang: '',
  text: '',
  links: [],
  pages: null,
  problem: null,
}

export const MAX_TEXT = 1 << 20
export const MAX_LINKS = 50_000

/** Truncates long values, and says so unless there is a more serious problem. */
export function truncateToLimits(extractedContent: ExtractedContent): ExtractedContent {
  const { text, links, problem } = extractedContent
  if (text.length <= MAX_TEXT && links.length <= MAX_LINKS) return extractedContent
  return {
    ...extractedContent,
    text: text.slice(0, MAX_TEXT),
    links: links.slice(0, MAX_LINKS),
    problem: problem ?? 'cut',
  }
}
