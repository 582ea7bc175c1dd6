// Parses robots.txt according to RFC 9309, leniently where site owners make mistakes. Any bytes yield a file, possibly
// an empty one.

import { decodeRobots } from './decode-robots.ts'
import { eachLine } from './each-line.ts'
import { isHtmlPage } from './is-html-page.ts'
import { normalisePattern } from './octets.ts'
import { parseUserAgentLine } from './product-token.ts'
import { readField, trimAscii } from './read-field.ts'

export interface RobotsRule {
  allow: boolean
  /** Normalised; `*` and a final `$` are special. */
  pattern: string
  line: number
  text: string
}

export interface RobotsProduct {
  /** Lower case, or `*`. */
  token: string
  /** The name as spelt in the file. */
  name: string
  crawlDelayMs: number | null
}

/** Groups are merged per crawler later: merging them for all would take products x rules in space. */
export interface RobotsGroup {
  products: RobotsProduct[]
  rules: RobotsRule[]
}

export interface RobotsFile {
  groups: RobotsGroup[]
  sitemaps: string[]
}

export function parseRobots(text: string | Buffer): RobotsFile {
  const octets = decodeRobots(text)
  const reader = new GroupReader()
  if (!isHtmlPage(octets)) eachLine(octets, (line, number) => reader.read(line, number))
  return { groups: reader.groups, sitemaps: [...reader.sitemaps] }
}

class GroupReader {
  readonly groups: RobotsGroup[] = []
  readonly sitemaps = new Set<string>()
  #acceptsProducts = false
  #productsWithDelay = 0

  read(line: string, number: number): void {
    const field = readField(line)
    if (field === null) return
    switch (field.name) {
      case 'product':
        return this.#addProduct(field.value)
      case 'allow':
      case 'disallow':
        return this.#addRule(field.name === 'allow', field.value, { line: number, text: fromOctets(trimAscii(line)) })
      case 'delay':
        return this.#setDelay(field.value)
      case 'sitemap':
        if (field.value !== '') this.sitemaps.add(fromOctets(field.value))
    }
  }

  #addProduct(value: string): void {
    let group = this.groups.at(-1)
    if (group === undefined || !this.#acceptsProducts) {
      group = { products: [], rules: [] }
      this.groups.push(group)
      this.#acceptsProducts = true
      this.#productsWithDelay = 0
    }
    group.products.push({ token: parseUserAgentLine(value), name: fromOctets(value), crawlDelayMs: null })
  }

  #addRule(allow: boolean, value: string, source: { line: number; text: string }): void {
    const group = this.groups.at(-1)
    if (group === undefined) return
    // An empty pattern matches nothing, but ends the list of products like any rule.
    this.#acceptsProducts = false
    if (value !== '') group.rules.push({ allow, pattern: normalisePattern(value), ...source })
  }

  /** Only rules end a list of products, so a delay between two products applies to those before it. */
  #setDelay(value: string): void {
    const group = this.groups.at(-1)
    const crawlDelayMs = readSeconds(value)
    if (group === undefined || crawlDelayMs === null) return
    for (const product of group.products.slice(this.#productsWithDelay)) product.crawlDelayMs = crawlDelayMs
    this.#productsWithDelay = group.products.length
  }
}

function readSeconds(value: string): number | null {
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(value)) return null
  const delayMs = Math.round(Number(value) * 1000)
  return Number.isFinite(delayMs) ? delayMs : null
}

function fromOctets(octets: string): string {
  return /[\x80-\xff]/.test(octets) ? Buffer.from(octets, 'latin1').toString('utf8') : octets
}
