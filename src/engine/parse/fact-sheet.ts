import type { Attributes } from './attributes.ts'
import { collapseSpaces, equalsIgnoringCase, lowerAscii } from './characters.ts'
import { hasListToken } from './list-token.ts'
import { parseMetaRefresh } from './meta-refresh.ts'
import type { RequisiteCollector } from './requisites.ts'

export const LINK_KINDS = ['a', 'area', 'link', 'iframe', 'frame', 'refresh'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export interface HtmlLink {
  /** Entities decoded, surrounding whitespace removed, not resolved. */
  href: string
  kind: LinkKind
  /** The rel attribute in lower case, or ''. */
  rel: string
  /** The anchor text if requested, or ''. */
  text: string
}

export interface HtmlFacts {
  links: HtmlLink[]
  /** Number of links beyond the limit. */
  droppedLinks: number
  firstDropped: string | null
  /** Files that a browser loads to show the page, as written; empty if not requested. */
  requisites: readonly string[]
  /** Number of requisites beyond the limit. */
  droppedRequisites: number
  baseHref: string | null
  title: string
  description: string
  keywords: string
  robots: string
  /** Directives of metas with other names, in lower case: some of these names are crawlers. */
  robotsFor: ReadonlyMap<string, string>
  lang: string
  canonical: string
  text: string
}

const NO_REQUISITES: readonly string[] = []
const NO_NAMED_ROBOTS: ReadonlyMap<string, string> = new Map()
/** A product token, which `twitter:title` and the like are not. */
const CRAWLER_NAME = /^[a-z0-9_-]+$/i
/** Only restrictions are kept: few other metas contain such words. */
const RESTRICTION = /\b(?:no(?:index|follow|ne|archive|cache|snippet)\b|unavailable_after|max-snippet)/i

/** More directives than any legitimate page has. */
const MAX_ROBOTS = 256
const MAX_ROBOTS_LENGTH = 1 << 12

/** Collects facts tag by tag. The page reader decides which tags count; this class decides what they mean. */
export class HtmlFactCollector {
  readonly links: HtmlLink[] = []
  readonly #maxLinks: number
  /** Link targets. Set once there are too many links: each target is then kept once. */
  #targets: Set<string> | null = null
  #droppedLinks = 0
  #firstDropped: string | null = null
  #baseHref: string | null = null
  #title: string | null = null
  #lang: string | null = null
  #canonical: string | null = null
  #description = ''
  #keywords = ''
  readonly #robots = new Set<string>()
  #robotsFor: Map<string, string> | null = null

  constructor(maxLinks: number) {
    this.#maxLinks = maxLinks
  }

  get hasTitle(): boolean {
    return this.#title !== null
  }

  /** `a` and `area`. An empty href is a link to the page itself. */
  addAnchor(kind: 'a' | 'area', attributes: Attributes): HtmlLink | null {
    const href = attributes.getTrimmed('href')
    return href === null ? null : this.#addAnchor(kind, href, attributes)
  }

  addSvgAnchor(attributes: Attributes): HtmlLink | null {
    const href = attributes.getTrimmed('href') ?? attributes.getTrimmed('xlink:href')
    return href === null ? null : this.#addAnchor('a', href, attributes)
  }

  /** Browsers load nothing for an empty src. */
  addFrame(kind: 'iframe' | 'frame', attributes: Attributes): void {
    const src = attributes.getTrimmed('src') ?? ''
    if (src !== '') this.#addLink({ href: src, kind, rel: '', text: '' })
  }

  addLinkElement(attributes: Attributes): void {
    const rel = lowerAscii(attributes.get('rel') ?? '')
    const isCanonical = hasListToken(rel, 'canonical')
    if (!isCanonical && !hasListToken(rel, 'alternate') && !hasListToken(rel, 'next') && !hasListToken(rel, 'prev'))
      return
    if (hasListToken(rel, 'stylesheet')) return
    const href = attributes.getTrimmed('href') ?? ''
    if (href === '') return
    if (isCanonical) this.#canonical ??= href
    this.#addLink({ href, kind: 'link', rel, text: '' })
  }

  addMeta(attributes: Attributes): void {
    const content = attributes.get('content')
    if (content === null) return
    if (equalsIgnoringCase(attributes.get('http-equiv') ?? '', 'refresh')) {
      const target = parseMetaRefresh(content)
      if (target !== null) this.#addLink({ href: target, kind: 'refresh', rel: '', text: '' })
    }
    const name = attributes.get('name')
    if (name === null) return
    if (equalsIgnoringCase(name, 'description')) this.#description ||= collapseSpaces(content)
    else if (equalsIgnoringCase(name, 'keywords')) this.#keywords ||= collapseSpaces(content)
    else if (equalsIgnoringCase(name, 'robots')) this.#addRobots(collapseSpaces(content))
    else if (CRAWLER_NAME.test(name) && RESTRICTION.test(content)) this.#addRobotsFor(lowerAscii(name), content)
  }

  addBase(attributes: Attributes): void {
    this.#baseHref ??= attributes.getTrimmed('href')
  }

  addHtml(attributes: Attributes): void {
    this.#lang ??= attributes.getTrimmed('lang')
  }

  addTitle(text: string): void {
    this.#title ??= collapseSpaces(text)
  }

  finish(text: string, requisites: RequisiteCollector | null): HtmlFacts {
    return {
      requisites: requisites?.urls ?? NO_REQUISITES,
      droppedRequisites: requisites?.dropped ?? 0,
      links: this.links,
      droppedLinks: this.#droppedLinks,
      firstDropped: this.#firstDropped,
      baseHref: this.#baseHref,
      title: this.#title ?? '',
      description: this.#description,
      keywords: this.#keywords,
      robots: [...this.#robots].join(','),
      robotsFor: this.#robotsFor ?? NO_NAMED_ROBOTS,
      lang: this.#lang ?? '',
      canonical: this.#canonical ?? '',
      text,
    }
  }

  #addAnchor(kind: LinkKind, href: string, attributes: Attributes): HtmlLink | null {
    const rel = attributes.get('rel')
    return this.#addLink({ href, kind, rel: rel === null ? '' : lowerAscii(rel), text: '' })
  }

  #addLink(link: HtmlLink): HtmlLink | null {
    if (this.#maxLinks === 0) return null
    if (this.#targets === null && this.links.length >= this.#maxLinks) this.#dropRepeated()
    if (this.#targets !== null) {
      const target = targetOf(link)
      if (this.#targets.has(target)) return null
      if (this.links.length >= this.#maxLinks) {
        this.#droppedLinks += 1
        this.#firstDropped ??= link.href
        return null
      }
      this.#targets.add(target)
    }
    this.links.push(link)
    return link
  }

  /** Indexes of large reference works have a hundred thousand links to a few hundred pages. */
  #dropRepeated(): void {
    const targets = new Set<string>()
    const kept = this.links.filter((link) => {
      const target = targetOf(link)
      return !targets.has(target) && targets.add(target)
    })
    this.links.length = 0
    for (const link of kept) this.links.push(link)
    this.#targets = targets
  }

  #addRobots(value: string): void {
    if (value !== '' && this.#robots.size < MAX_ROBOTS) this.#robots.add(value)
  }

  #addRobotsFor(name: string, content: string): void {
    const value = collapseSpaces(content)
    this.#robotsFor ??= new Map()
    const held = this.#robotsFor.get(name)
    if (held === undefined && this.#robotsFor.size < MAX_ROBOTS) this.#robotsFor.set(name, value)
    else if (held !== undefined && held.length < MAX_ROBOTS_LENGTH) this.#robotsFor.set(name, `${held},${value}`)
  }
}

/** The href without its fragment, and the rel: one link may be followed while another to the same page is not. */
function targetOf({ href, rel }: HtmlLink): string {
  const fragmentAt = href.indexOf('#')
  return `${rel} ${fragmentAt < 0 ? href : href.slice(0, fragmentAt)}`
}
