// Reads machine-readable data that a page contains about itself: JSON-LD, microdata, RDFa, Open Graph, Twitter cards,
// linked feeds and tables. Size and time are bounded for every page; `problems` names what is left out.

import type { StructuredData, StructuredItem } from '../../../ports/pages.ts'
import { attributeOf, type TreeElement, type TreeParent, textValue } from '../../content/tree-nodes.ts'
import { Budget, MAX_CHARACTERS } from './budget.ts'
import { addTo, emptyLists, resolve, walk, wordsOf } from './element-values.ts'
import { readMicrodata } from './read-microdata.ts'
import { readRdfa } from './read-rdfa.ts'
import { readTables } from './read-tables.ts'

const MAX_FEEDS = 50
const MAX_JSON_DEPTH = 64
const MAX_PROBLEMS = 20

/** `html` is the source of the document. Null if the page has none. */
export function readStructuredData(document: TreeParent, html: string, baseUrl: string): StructuredData | null {
  const budget = new Budget()
  const context = { baseUrl, budget }
  const data: StructuredData = {
    json_ld: [],
    microdata: [],
    rdfa: [],
    open_graph: emptyLists(),
    twitter: emptyLists(),
    feeds: [],
    tables: [],
    problems: [],
  }
  walk(document, budget, (element) => {
    if (element.tagName === 'script') readJsonLd(element, data, budget)
    else if (element.tagName === 'meta') readCard(element, data, budget)
    else if (element.tagName === 'link') readFeed(element, data, context)
    return true
  })
  // Names of tags and attributes can be searched for, since they cannot be escaped. Most pages have none of these.
  if (/itemscope/i.test(html)) data.microdata = keepFitting(readMicrodata(document, context), budget)
  if (/typeof/i.test(html)) data.rdfa = keepFitting(readRdfa(document, context), budget)
  if (/<table/i.test(html)) data.tables = readTables(document, budget)
  if (budget.isExhausted) data.problems.push('The page has more structured data than is stored.')
  return isEmpty(data) ? null : data
}

/** An item with several names is written once for each, with its nested items: a short page can expand to any size. */
function keepFitting(items: StructuredItem[], budget: Budget): StructuredItem[] {
  let left = MAX_CHARACTERS
  const kept = items.filter((item) => {
    left = charactersLeft(item, left)
    return left >= 0
  })
  if (kept.length < items.length) budget.exhaust()
  return kept
}

/** Negative if the value does not fit. */
function charactersLeft(value: StructuredItem | string, before: number): number {
  if (typeof value === 'string') return before - value.length - 1
  const { type, id = '' } = value
  let left = before - id.length - type.reduce((sum, name) => sum + name.length, 1)
  for (const [name, values] of Object.entries(value.properties)) {
    for (const each of values) {
      left = charactersLeft(each, left - name.length)
      if (left < 0) return left
    }
  }
  return left
}

function isEmpty(data: StructuredData): boolean {
  return Object.values(data).every((part: object) => Object.keys(part).length === 0)
}

const JSON_LD_TYPE = /^application\/ld\+json\s*(?:;|$)/i

function readJsonLd(element: TreeElement, data: StructuredData, budget: Budget): void {
  if (!JSON_LD_TYPE.test(attributeOf(element, 'type')?.trim() ?? '')) return
  const source = element.childNodes.map((node) => textValue(node) ?? '').join('')
  if (!budget.take(source.length)) return
  // Some pages wrap it for browsers that do not know scripts.
  const json = source.replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[)/, '').replace(/(?:-->|\/\/\s*\]\]>)\s*$/, '')
  try {
    const value: unknown = JSON.parse(json)
    if (isDeeperThan(value, MAX_JSON_DEPTH)) note(data, 'A block of JSON-LD is nested too deeply.')
    else data.json_ld.push(value)
  } catch {
    note(data, 'A block of JSON-LD is not valid JSON.')
  }
}

function note({ problems }: StructuredData, problem: string): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem)
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1))
}

/** Namespaces of https://ogp.me. */
const OPEN_GRAPH = /^(?:og|article|book|profile|video|music|product|fb):/i
const TWITTER = /^twitter:/i
const MAX_NAME_LENGTH = 100

/** Pages mix up `property` and `name`. */
function readCard(element: TreeElement, data: StructuredData, budget: Budget): void {
  const content = attributeOf(element, 'content')?.trim()
  if (content === undefined) return
  for (const name of [...wordsOf(element, 'property'), ...wordsOf(element, 'name')]) {
    const lists = OPEN_GRAPH.test(name) ? data.open_graph : TWITTER.test(name) ? data.twitter : null
    if (lists === null || name.length > MAX_NAME_LENGTH) continue
    const value = budget.value(content)
    if (value !== null) return addTo(lists, name.toLowerCase(), value)
  }
}

const FEED_TYPE = /^application\/(?:(?:rss|atom|rdf)\+xml|feed\+json)\s*(?:;|$)/i

function readFeed(
  element: TreeElement,
  { feeds }: StructuredData,
  { baseUrl, budget }: { baseUrl: string; budget: Budget },
): void {
  const type = attributeOf(element, 'type')?.trim() ?? ''
  const href = attributeOf(element, 'href')
  const isFeed = wordsOf(element, 'rel').some((word) => word.toLowerCase() === 'alternate') && FEED_TYPE.test(type)
  if (!isFeed || href === null || feeds.length === MAX_FEEDS) return
  const url = budget.value(resolve(href, baseUrl))
  const title = attributeOf(element, 'title')?.trim() || null
  if (url !== null) feeds.push({ url, type: type.toLowerCase(), title: title === null ? null : budget.value(title) })
}
