import { decodeText } from '../../parse/charset/decode-html.ts'
import { isBinary } from '../binary-signatures.ts'
import {
  type ContentType,
  type ExtractedContent,
  type ExtractedLink,
  MAX_LINKS,
  NO_CONTENT,
  truncateToLimits,
} from '../content-type.ts'

export const TEXT = {
  name: 'text',
  mediaTypes: ['text/plain', 'text/markdown', 'text/x-markdown'],
  signature: null,
  roots: {},
  isInZip: null,
  isValid: (body) => !isBinary(body),
  isPage: false,
  isHeavy: () => false,
  extract: (body, { contentType }) => extractText(body, contentType),
} as const satisfies ContentType

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"`{}|\\^\p{Cc}]+/giu
// Characters that more likely end the sentence than the URL.
const SENTENCE_ENDS = ".,;:!?'*_~])"

function extractText(body: Buffer, contentType: string): ExtractedContent {
  const text = decodeText(body, contentType)
  return truncateToLimits({ ...NO_CONTENT, text, links: linksIn(text) })
}

/** At most one link more than the limit, which shows that there are more. */
function linksIn(text: string): ExtractedLink[] {
  const found = text.matchAll(URL_IN_TEXT).take(MAX_LINKS + 1)
  return Array.from(found, ([url]) => ({ href: trimSentence(url), rel: '', text: '' }))
}

/** A bracket that was opened inside the URL belongs to it. */
function trimSentence(found: string): string {
  const ends = found.includes('(') ? SENTENCE_ENDS.replace(')', '') : SENTENCE_ENDS
  let end = found.length
  while (ends.includes(found.charAt(end - 1))) end--
  return found.slice(0, end)
}
