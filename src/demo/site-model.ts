// A site as plain data. A link carries both how the page writes it and what it means, so the oracle never has to
// resolve a url and the crawler's own resolution is what gets tested.

/** What a link leads to. Paths are canonical and include the query. */
export type LinkTarget =
  | { kind: 'node'; path: string }
  | { kind: 'external'; url: string }
  /** Not a web address at all: mailto:, javascript:, tel:. */
  | { kind: 'nothing' }

/** How a page gives the address before the path; several spellings of one origin are the same url. */
export const ADDRESS_PREFIXES = ['none', 'origin', 'loud', 'padded', 'network'] as const
export type AddressPrefix = (typeof ADDRESS_PREFIXES)[number]

export interface Reference {
  prefix: AddressPrefix
  /** What follows the prefix, as written, before HTML escaping. */
  href: string
  target: LinkTarget
}

export const FOLLOWED_SOURCES = ['a', 'area', 'iframe', 'canonical', 'next', 'refresh'] as const
export const IGNORED_SOURCES = ['comment', 'script', 'style', 'template', 'textarea'] as const
export type LinkSource = (typeof FOLLOWED_SOURCES)[number] | (typeof IGNORED_SOURCES)[number]

export interface Link extends Reference {
  via: LinkSource
  /** What people read; made up where it does not matter. */
  label?: string
}

export interface Content {
  title: string
  /** The `base href` of the page, a path, or null. */
  base: string | null
  links: Link[]
  paragraphs?: string[]
}

export const ERROR_STATUS = { missing: 404, forbidden: 403, gone: 410, unauthorised: 401, broken: 500 } as const
export type ErrorKind = keyof typeof ERROR_STATUS

export type SiteNode = { path: string } & (
  | { kind: 'page'; content: Content }
  | { kind: 'slow'; content: Content; delayMs: number }
  /** Fails `failures` times, then answers as a page. */
  | { kind: 'flaky'; content: Content; status: number; failures: number; retryAfter: string | null }
  | { kind: 'redirect'; status: 301 | 302 | 303 | 307 | 308; to: Reference }
  /** The body holds links that must not be followed. */
  | { kind: ErrorKind; content: Content }
  | { kind: 'document'; bytes: number }
  /** The socket is destroyed without an answer. */
  | { kind: 'reset' }
)

export interface Site {
  seed: number
  nodes: Map<string, SiteNode>
}

/** A site at the address where it is served. */
export interface ServedSite {
  site: Site
  /** Scheme, host and port, no slash at the end. */
  origin: string
}

export function isFollowed(linkSource: LinkSource): boolean {
  return (FOLLOWED_SOURCES as readonly string[]).includes(linkSource)
}
