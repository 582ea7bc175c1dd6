// Says in words what a crawl will do, from the content of the form.

import { formatDays, formatMilliseconds, type SettingDrafts, splitLines } from '../../text/crawl-settings.ts'
import { formatNumber, plural, shortUrl } from '../../text/format.ts'

/**
 * Returns one sentence per decision. `seeds` are the start URLs in their canonical form; `drafts` has every setting.
 */
export function describeCrawl(seeds: readonly string[], drafts: SettingDrafts): string[] {
  const [first] = seeds
  if (first === undefined) return []
  const text = (name: string): string => String(drafts[name] ?? '')
  const isOn = (name: string): boolean => drafts[name] === true
  return [
    describeReach(first, seeds.length - 1, { scope: text('scope'), isSitemapOnly: isOn('sitemap_only') }),
    describeLimits(text('max_pages'), text('depth')),
    describePatterns(splitLines(text('include')).length, splitLines(text('exclude')).length),
    describePace(text('delay'), Number(text('per_host')), text('max_rate')),
    isOn('ignore_robots') ? 'Ignores robots.txt.' : 'Obeys robots.txt.',
    describeRendering(text('render')),
    describeArchive(text('archive'), Number(text('keep'))),
    describeRevisits(text('recrawl'), text('schedule')),
  ].filter((sentence) => sentence !== '')
}

function describeReach(
  first: string,
  others: number,
  { scope, isSitemapOnly }: { scope: string; isSitemapOnly: boolean },
): string {
  const { host } = new URL(first)
  const rest = others === 0 ? '' : ` and ${plural(others, 'more start URL')}`
  if (isSitemapOnly) return `Visits ${shortUrl(first)}${rest}, and the pages in the sitemaps. Follows no links.`
  switch (scope) {
    case 'domain':
      return `Visits all pages of ${host}${rest}, with all subdomains of the domain.`
    case 'prefix':
      return `Visits all pages below ${sectionOf(first)}${rest}.`
    case 'any':
      return `Starts at ${shortUrl(first)}${rest}, and follows links to any host.`
    default:
      return `Visits all pages of ${host}${rest}.`
  }
}

/** Up to the last slash of the path, as the server has it. */
function sectionOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname.slice(0, pathname.lastIndexOf('/') + 1)
}

function describeLimits(maxPages: string, depth: string): string {
  const pages = maxPages === '' ? '' : `Stops after ${plural(Number(maxPages), 'page')}.`
  const steps = depth === '' ? '' : `Follows links up to ${plural(Number(depth), 'step')} from the start.`
  return pages === '' && steps === '' ? 'Has no page limit.' : [pages, steps].filter((part) => part !== '').join(' ')
}

function describePatterns(includes: number, excludes: number): string {
  if (includes + excludes === 0) return ''
  const parts = [
    includes === 0 ? [] : [`matches ${plural(includes, 'include pattern')}`],
    excludes === 0 ? [] : [`matches none of ${plural(excludes, 'exclude pattern')}`],
  ].flat()
  return `Visits a URL only if it ${parts.join(' and ')}.`
}

function describePace(delay: string, perHost: number, maxRate: string): string {
  const requests =
    perHost === 1
      ? 'Sends one request at a time to a host'
      : `Sends up to ${formatNumber(perHost)} requests at a time to a host`
  const pauses =
    delay === 'auto'
      ? ', with pauses that follow its response time'
      : delay === '0'
        ? ', without pauses'
        : /^\d+$/.test(delay)
          ? `, at least ${formatMilliseconds(Number(delay))} apart`
          : ''
  return `${requests}${pauses}${maxRate === '' ? '' : `, and at most ${maxRate} per second in all`}.`
}

function describeRendering(render: string): string {
  if (render === 'all') return 'Renders every page in a browser.'
  return render === 'auto' ? 'Renders pages in a browser if they need it.' : ''
}

function describeArchive(archive: string, keepDays: number): string {
  if (archive === 'none') return 'Archives nothing, so pages cannot be searched or viewed later.'
  const what = archive === 'html' ? 'Archives HTML pages' : 'Archives all responses'
  return keepDays === 0 ? `${what} forever.` : `${what} for ${formatDays(keepDays)}.`
}

function describeRevisits(recrawl: string, schedule: string): string {
  if (schedule !== '') return 'Then waits, and visits all pages again on schedule.'
  if (recrawl === 'off' || recrawl === '') return ''
  return recrawl === 'adaptive'
    ? 'Then visits pages again: the more often a page changes, the more often it is visited.'
    : `Then visits every page again after ${recrawl}.`
}
