import type { Crawl } from '../server/api.ts'

/** Says that a crawl of sitemap URLs found no sitemap; null if it does not apply. */
export function missingSitemapText({
  status,
  settings,
  sitemaps,
  pages,
  states,
}: Pick<Crawl, 'status' | 'settings' | 'sitemaps' | 'pages' | 'states'>): string | null {
  if (status !== 'completed' || settings['sitemap_only'] !== true || sitemaps > 0 || pages === 0) return null
  const problems = states.failed + states.not_found + states.http_error + states.forbidden + states.excluded
  // One of the problem URLs may be a sitemap.
  const cause = problems > 0 ? 'No sitemap could be read' : 'The site has no sitemap'
  return `${cause}, so only the ${pages === 1 ? 'start URL was' : 'start URLs were'} visited.`
}
