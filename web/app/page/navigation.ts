// The navigation items with their shortcuts, and links to the URL table.

import type { IconName } from '../components/display/Icon.tsx'

export const NAV_ITEMS = [
  { href: '/', label: 'Crawls', icon: 'crawls', keys: 'g c' },
  // The path is not /search, which may be the public search page.
  { href: '/find', label: 'Search', icon: 'search', keys: 'g s' },
  { href: '/compare', label: 'Compare', icon: 'compare', keys: 'g m' },
  { href: '/monitors', label: 'Monitors', icon: 'monitors', keys: 'g o' },
  { href: '/workers', label: 'Workers', icon: 'workers', keys: 'g w' },
  { href: '/settings', label: 'Settings', icon: 'settings', keys: 'g e' },
] as const satisfies readonly { href: string; label: string; icon: IconName; keys: string }[]

export function isActiveNavItem(location: string, href: string): boolean {
  if (href === '/') return location === '/' || location === '/new' || location.startsWith('/crawls/')
  return location === href || location.startsWith(`${href}/`)
}

/** Link to the URL table with filters, which are query parameters of listUrls. */
export function urlsHref(crawlId: string, filters: Record<string, string | number | readonly string[]> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
  }
  return `/crawls/${encodeURIComponent(crawlId)}/urls${query.size === 0 ? '' : `?${query}`}`
}

/** Link to the details of a URL. */
export function urlHref(crawlId: string, urlId: number): string {
  return urlsHref(crawlId, { url: urlId })
}

/** Link to an archived version as it looked. */
export function archivedPageHref(pageId: number): string {
  return `/pages/${pageId}`
}

/** Link to the changes of a crawl. */
export function changesHref(crawlId: string, filters: { kind?: string; url?: string; change?: number } = {}): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  return `/crawls/${encodeURIComponent(crawlId)}/changes${query.size === 0 ? '' : `?${query}`}`
}
