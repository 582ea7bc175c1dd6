// Whether a page looks empty without JavaScript. A function of the page alone, so that the same pages are rendered in
// every run, whatever was visited before (G7). Most pages are decided by their number of words.

import type { HtmlFacts } from '../../parse/html-reader.ts'

export interface PlainPage {
  /** The HTML as received; it may have one character per byte of UTF-8. */
  source: string
  html: Pick<HtmlFacts, 'links'>
  /** Visible words. */
  words: number
}

/** A page with this many words is complete, whatever its scripts add. */
const ENOUGH_WORDS = 200
/** A page with fewer words shows practically nothing. */
const FEW_WORDS = 20
/**
 * A page with fewer words that asks for JavaScript has no other content. Javadoc pages have such a notice and 50 words
 * or more.
 */
const SHELL_WORDS = 50
/** A longer document is not a shell: its scripts are inline, and searching them costs more than it finds. */
const MAX_SEARCHED = 200_000

/** Excludes scripts that only contain data. Every repetition is bounded, so that a hostile page takes no longer. */
const SCRIPT =
  /<script\b(?![^>]{0,300}\btype\s{0,9}=\s{0,9}["']?(?:application\/(?:ld\+)?json|text\/template|text\/x-|speculationrules))/i
/** The elements in which frameworks build their pages, without content. An ellipsis may be three bytes. */
const EMPTY_ROOT =
  /<(?:(?:div|main|section|body)\b[^>]{0,300}\bid\s{0,9}=\s{0,9}["']?(?:root|app|app-root|main-app|react-root|__next|__nuxt|___gatsby|svelte|q-app|ember-app|vue-app)(?=["'\s>])|[a-z][a-z0-9]{0,40}-[a-z0-9-]{1,40}\b)[^>]{0,300}>\s{0,300}(?:<!--[^>]{0,300}-->\s{0,300}){0,3}(?:loading[.\u2026\xe2\x80\xa6 ]{0,20})?<\//i
/**
 * Not "JavaScript is disabled on your browser." alone, nor "works best with JavaScript enabled": javadoc and Gatsby
 * write these notices into complete pages.
 */
const PLEASE_ENABLE =
  /(?:enable|requires?|activate|turn on|needs?|without|use)\s{1,20}(?:\w{1,20}\s{1,20}){0,2}javascript|(?<!best\s{1,20}with\s{1,20})javascript\s{1,20}(?:\w{1,20}\s{1,20}){0,3}(?:required|disabled(?!\s{1,20}on\s{1,20}your\s{1,20}browser\.\s{0,20}<\/)|enabled|needed|must)/i

/** A page with one of these elements shows something, even if it has no words. */
const SHOWS_SOMETHING = /<(?:frameset|iframe|img|picture|video|object|embed|canvas)\b/i

export function needsScripts({ source, html, words }: PlainPage): boolean {
  if (words >= ENOUGH_WORDS || source.length > MAX_SEARCHED || !SCRIPT.test(source)) return false
  if (words < FEW_WORDS || html.links.length === 0) return true
  return isFilledByScripts(source)
}

/** Stricter, for a verdict that people read: a short page without a sign of JavaScript may simply be short. */
export function isShell(source: string, words: number): boolean {
  if (words >= SHELL_WORDS || source.length > MAX_SEARCHED || !SCRIPT.test(source)) return false
  return (words === 0 && !SHOWS_SOMETHING.test(source)) || isFilledByScripts(source)
}

/**
 * Matches common services that count visits or ask for consent, by the address of a script or its first statements.
 * Contains names of services only: a word such as "stats" may be the name of any script.
 */
const COUNTS_VISITS =
  /googletagmanager\.|google-analytics\.|\bgtag\(|\bga\(|\b_gaq\b|\bdataLayer\b|matomo|piwik|\b_paq\b|plausible\.|umami|usefathom\.|goatcounter|hotjar|clarity\.ms|cloudflareinsights\.|\bfbq\(|connect\.facebook\.|cookiebot|onetrust|cookielaw\./i
const MAX_SCRIPTS = 50
const START_OF_SCRIPT = 600
const MAX_SCRIPT = 5000

/** Whether a page that looks complete has scripts that may add to it, other than scripts of common services. */
export function hasScripts(source: string): boolean {
  return ownScripts(source).next().done === false
}

const MODULE = /^[^>]{0,300}\btype\s{0,9}=\s{0,9}["']?module/i
const FILE = /^[^>]{0,300}\ssrc\s{0,9}=/i
const BUILDS_ELEMENTS =
  /createElement|innerHTML|insertAdjacent|append(?:Child)?\(|document\.write|\bfetch\(|XMLHttpRequest|\$\.(?:get|ajax|post)|\.load\(|\bimport\b/
/** Elements without content that scripts can find by their id, custom elements, and marks of frameworks. */
const PLACE_TO_FILL =
  /<(?:div|ul|ol|nav|section|main|aside|article|tbody)\s(?=[^>]{0,300}\bid\s{0,9}=)[^>]{0,600}>\s{0,99}<\/|<[a-z][a-z0-9]{0,40}-[a-z]|>\s{0,99}loading[.\u2026\xe2\x80\xa6 ]{0,20}<|\s(?:ng-app|x-data|hx-get|v-cloak|data-(?:reactroot|react-class|server-rendered|controller|component|hydrate|page|url|src-url))\b|\b__(?:NEXT_DATA|NUXT|remixContext|APOLLO_STATE)|\/_next\/|\/_nuxt\//i

/**
 * Whether a page with scripts shows a sign that they add to it. A browser is started only for pages that do: the start
 * takes as much CPU as 2,000 plain pages (2026-11).
 */
export function mayAddContent(source: string): boolean {
  let hasFile = false
  for (const script of ownScripts(source)) {
    if (MODULE.test(script)) return true
    if (FILE.test(script)) hasFile = true
    else if (BUILDS_ELEMENTS.test(script)) return true
  }
  return hasFile && source.length <= MAX_SEARCHED && PLACE_TO_FILL.test(source)
}

/**
 * The page's scripts with their tags. If there are too many to examine, the page is assumed to have relevant scripts.
 */
function* ownScripts(source: string): Generator<string> {
  let seen = 0
  for (const { index } of source.matchAll(/<script/gi)) {
    if (seen === MAX_SCRIPTS) return yield source.slice(0, MAX_SCRIPT)
    seen += 1
    const from = source.slice(index, index + MAX_SCRIPT)
    const end = from.search(/<\/script/i)
    const script = end < 0 ? from : from.slice(0, end)
    const start = script.slice(0, START_OF_SCRIPT)
    if (SCRIPT.test(start.slice(0, start.indexOf('>') + 1)) && !COUNTS_VISITS.test(start)) yield script
  }
}

function isFilledByScripts(source: string): boolean {
  return EMPTY_ROOT.test(source) || PLEASE_ENABLE.test(source)
}
