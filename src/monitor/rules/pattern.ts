// Finds a regular expression in the lines of a page, in linear time. The more a pattern weighs, the less of a page is
// examined, so that the time for a page is bounded: RE2 takes up to 50 ns per character and unit of weight.

import { RE2JS } from 're2js'
import { translatePattern } from '../../config/values/pattern-syntax.ts'
import { concludeMatches, MatchList } from '../passages.ts'
import type { CheckPage } from '../verdict.ts'

const MAX_PATTERN_WEIGHT = 500
const MAX_WORK = 40_000_000
const MAX_CHARACTERS = 2_000_000
/** Maximum length of a line; the rest counts as another line. */
const MAX_LINE = 10_000

/** The pattern, or a sentence that describes its problem. */
export function compilePattern(text: string): { check: CheckPage } | { problem: string } {
  const translated = translatePattern(text)
  if ('refused' in translated) return { problem: `The pattern must be a regular expression ${translated.refused}.` }
  if (translated.weight > MAX_PATTERN_WEIGHT) {
    const size = `${MAX_PATTERN_WEIGHT} characters with its repetitions expanded`
    return { problem: `The pattern has more than ${size}. Use a shorter one.` }
  }
  const engine = RE2JS.compile(translated.re2)
  if (engine.test('')) return { problem: 'The pattern matches empty text, and therefore every page. Use another one.' }
  const maxCharacters = Math.min(MAX_CHARACTERS, Math.floor(MAX_WORK / Math.max(1, translated.weight)))
  return {
    check(content) {
      const pageText = content.text()
      return concludeMatches(pageText, findMatches(pageText, engine, maxCharacters))
    },
  }
}

function findMatches(text: string, engine: RE2JS, maxCharacters: number): MatchList {
  const matches = new MatchList()
  const length = Math.min(text.length, maxCharacters)
  for (let start = 0; start < length; ) {
    const feed = text.indexOf('\n', start)
    const end = Math.min(feed === -1 ? length : feed, start + MAX_LINE)
    const line = text.slice(start, end)
    if (engine.test(line)) {
      const matcher = engine.matcher(line)
      while (matcher.find())
        if (matcher.end() > matcher.start()) matches.add(start + matcher.start(), start + matcher.end())
    }
    start = feed === end ? end + 1 : end
  }
  return matches
}
