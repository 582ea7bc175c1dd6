// The places of the navigation, with the keys that lead there.

import type { IconName } from '../components/display/Icon.tsx'

export const NAV_ITEMS = [
  { href: '/', label: 'Crawls', icon: 'crawls', keys: 'g c' },
  { href: '/search', label: 'Search', icon: 'search', keys: 'g s' },
  { href: '/compare', label: 'Compare', icon: 'compare', keys: 'g m' },
  { href: '/workers', label: 'Workers', icon: 'workers', keys: 'g w' },
  { href: '/settings', label: 'Settings', icon: 'settings', keys: 'g e' },
] as const satisfies readonly { href: string; label: string; icon: IconName; keys: string }[]

export function isActiveNavItem(location: string, href: string): boolean {
  if (href === '/') return location === '/' || location === '/new' || location.startsWith('/crawls/')
  return location === href || location.startsWith(`${href}/`)
}

/** The table of urls under these conditions. Values are those of the query of listUrls. */
export function urlsHref(crawlId: string, filters: Record<string, string | number | readonly string[]> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  return `/crawls/${encodeURIComponent(crawlId)}/urls${query.size === 0 ? '' : `?${query}`}`
}

/** The flight recorder of a url. */
export function urlHref(crawlId: string, urlId: number): string {
  return urlsHref(crawlId, { url: urlId })
}
