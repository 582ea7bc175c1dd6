// What a content type is to a crawl: how it is told from others, and what is read of it.

import type { DocumentRequest } from './document-types.ts'

export interface ContentType {
  /** What the store, the settings and the other files call it. */
  name: string
  /** What a Content-Type header calls it, in lower case. The first is its proper name. */
  mediaTypes: readonly [string, ...string[]]
  /** The bytes it begins with, each character a byte, or null if it can begin with any. */
  signature: string | null
  /** For a type written in XML: its root elements, in lower case, and what a file with that root is called. */
  roots: Readonly<Record<string, string>>
  /** For a type that is a zip with certain files in it: whether they are there. Null for any other type. */
  isInZip: ((zip: Buffer) => boolean) | null
  /** Whether these can be the bytes of a file that is labelled so. Looks at the first of them only. */
  isValid(body: Buffer): boolean
  /** A crawl reads it by crawl/page.ts, which is faster and knows what pages ask of crawlers; all others by `extract`. */
  isPage: boolean
  /** Takes long enough to be left to the document readers (worker/documents): `extract` then calls `readDocument`. */
  isHeavy(body: Buffer): boolean
  /** Null for a type that is known, but of which nothing is read. */
  extract: ExtractFunction | null
}

/** Never throws: what cannot be read is told by `problem`. */
export type ExtractFunction = (body: Buffer, context: ExtractContext) => ExtractedContent | Promise<ExtractedContent>

export interface ExtractContext {
  url: string
  contentType: string
  /** Document readers have limits of time and memory; they belong to the caller. */
  readDocument: DocumentReaderFunction
}

export type DocumentReaderFunction = (request: DocumentRequest) => Promise<ExtractedContent>

export interface ExtractedLink {
  /** As it stands in the file: not resolved. */
  href: string
  /** In lower case, or ''. */
  rel: string
  text: string
}

export interface ExtractedContent {
  title: string
  description: string
  keywords: string
  author: string
  lang: string
  /** At most MAX_TEXT characters. */
  text: string
  /** At most MAX_LINKS. */
  links: readonly ExtractedLink[]
  /** How many pages it has, where pages are a thing. */
  pages: number | null
  /** A short code for what kept it from being read, or from being read whole. */
  problem: string | null
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

/** Cuts what is too long, and says so unless something worse is to be said. */
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
