// The cookies of a crawl, stored so that its threads and workers share them, and a restart keeps them.

export interface StoredCookie {
  /** The host that set it, or the domain that it named. */
  domain: string
  /** The cookie is sent to `domain` alone, and not to its subdomains. */
  isHostOnly: boolean
  path: string
  name: string
  value: string
  isSecure: boolean
  /** Null: the cookie lasts as long as the crawl. A time in the past: it was removed. */
  expiresAt: number | null
  createdAt: number
}

export interface CookieExchange {
  crawlId: string
  /** Cookies that the caller has received or removed since its last call. */
  changes: StoredCookie[]
  /** The version that the caller knows; 0 at first. */
  since: number
}

/** Limit of cookies per crawl. The ones that changed longest ago are removed first. */
export const MAX_COOKIES = 3000
/** Limit of domain, path and name together. Postgres indexes up to 2,704 bytes, and a character may take two. */
export const MAX_KEY_CHARS = 1000

export interface Cookies {
  /** Saves the changes, and returns what has changed since that version, including the caller's own changes. */
  exchange(cookieExchange: CookieExchange): Promise<{ version: number; cookies: StoredCookie[] }>
}
