// A site as plain data. A link has both its spelling and its target, so that the oracle never resolves a URL and the
// crawler's own resolution is tested.

/** Paths are canonical and include the query. */
export type LinkTarget =
  | { kind: 'node'; path: string }
  | { kind: 'external'; url: string }
  /** Not a web address at all: mailto:, javascript:, tel:. */
  | { kind: 'nothing' }

/** How a link spells the part before the path. All spellings of an origin give the same URL. */
const ADDRESS_PREFIXES = ['none', 'origin', 'loud', 'padded', 'network'] as const
export type AddressPrefix = (typeof ADDRESS_PREFIXES)[number]

export interface Reference {
  prefix: AddressPrefix
  /** The rest of the link after the prefix, before HTML escaping. */
  href: string
  target: LinkTarget
}

const FOLLOWED_SOURCES = ['a', 'area', 'iframe', 'canonical', 'next', 'refresh'] as const
export const IGNORED_SOURCES = ['comment', 'script', 'style', 'template', 'textarea'] as const
export type LinkSource = (typeof FOLLOWED_SOURCES)[number] | (typeof IGNORED_SOURCES)[number]

export interface Link extends Reference {
  via: LinkSource
  /** Link text; generated if omitted. */
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
  /** Fails `failures` times, then responds like a page. */
  | { kind: 'flaky'; content: Content; status: number; failures: number; retryAfter: string | null }
  | { kind: 'redirect'; status: 301 | 302 | 303 | 307 | 308; to: Reference }
  /** The body holds links that must not be followed. */
  | { kind: ErrorKind; content: Content }
  | { kind: 'document'; bytes: number }
  /** Closes the socket without a response. */
  | { kind: 'reset' }
)

export interface Site {
  seed: number
  nodes: Map<string, SiteNode>
}

/** A site at the address where it is served. */
export interface ServedSite {
  site: Site
  /** Scheme, host and port, without a trailing slash. */
  origin: string
}

export function isFollowed(linkSource: LinkSource): boolean {
  return (FOLLOWED_SOURCES as readonly string[]).includes(linkSource)
}
