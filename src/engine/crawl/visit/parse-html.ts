// Parses the HTML of a page in steps, so that a long page does not block its thread.

import type { HtmlSource } from '../../parse/charset/decode-html.ts'
import { type HtmlFacts, HtmlReader } from '../../parse/html-reader.ts'
import type { TextSink } from '../../parse/text-feed.ts'
import { SHARED_LENGTH } from '../../parse/utf16-codes.ts'
import type { TextProfile } from '../../text/text-profiler.ts'
import type { Steps } from './visit-steps.ts'

/** Characters of a long page parsed in one turn of the event loop: a few ms in the worst case. */
const CHARS_PER_STEP = 1 << 16

/** A page as received, or the DOM of the rendered page. */
export interface ReadPage {
  html: HtmlFacts
  source: HtmlSource
  charset: string
  /** Null if nothing is archived. */
  profile: TextProfile | null
}

export function* parseHtml(
  source: HtmlSource,
  sink: TextSink | null,
  { maxLinks, requisites }: { maxLinks: number; requisites: boolean },
): Steps<HtmlFacts> {
  const { length } = source.html
  const isLong = length > SHARED_LENGTH
  if (isLong) yield null
  const reader = new HtmlReader(source, { wantText: false, sink, maxLinks, wantsRequisites: requisites })
  if (isLong) {
    do yield null
    while (reader.readOn(CHARS_PER_STEP))
  } else {
    reader.readOn(length)
  }
  return reader.finish()
}
