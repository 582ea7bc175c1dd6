// Settings of a crawl: which URLs belong to it.

import { resolve } from 'node:path'
import { crawlSetting, onByDefault, setting } from '../setting.ts'
import { listOf, oneOf, onOff, patterns, text } from '../setting-kinds.ts'

export const SCOPE_SETTINGS = {
  scope: crawlSetting(
    setting(
      oneOf(['host', 'domain', 'prefix', 'any']),
      'host',
      'URLs to visit: those of the seed host (with and without www), of its registrable domain, under the seed path, or any.',
    ),
    { choiceLabels: { host: 'Host', domain: 'Domain', prefix: 'Path prefix', any: 'Any host' } },
  ),
  include: crawlSetting(setting(patterns(), [], 'Visit only URLs that match one of these patterns; repeatable.'), {
    label: 'Include patterns',
    isChangeable: true,
  }),
  exclude: crawlSetting(setting(patterns(), [], 'Skip URLs that match one of these patterns; repeatable.'), {
    label: 'Exclude patterns',
    isChangeable: true,
  }),
  followRedirects: crawlSetting(onByDefault('Follow redirects.', 'Do not follow redirects.')),
  sitemaps: crawlSetting(
    onByDefault('Read the sitemaps listed in robots.txt.', 'Do not read the sitemaps listed in robots.txt.'),
  ),
  sitemapOnly: crawlSetting(
    setting(onOff(), false, 'Follow no links: visit only the seeds and the URLs in sitemaps.'),
    { label: 'Sitemap URLs only' },
  ),
  keepSessionIds: crawlSetting(
    setting(
      onOff(),
      false,
      'Keep URL parameters that do not identify a page: session ids, sort links of directory listings, print, share and reply links.',
    ),
    { label: 'Keep session IDs' },
  ),
  traps: crawlSetting(
    onByDefault(
      'Visit possible spider traps last, and exclude those that repeat themselves.',
      'Visit possible spider traps like any other URL.',
    ),
    { label: 'Trap detection' },
  ),
  filterList: crawlSetting(
    setting(listOf(text('FILE')), [], 'Skip links that match a filter list in Adblock syntax; repeatable.'),
    {
      label: 'Filter lists',
      storedAs: 'filterLists',
      needsAdmin: true,
      toStored: (files: string[]) => files.map((file) => resolve(file)),
    },
  ),
  documents: crawlSetting(
    onByDefault(
      'Extract links and text from plain text, feeds, PDF, EPUB, Word and OpenDocument files.',
      'Do not extract links and text from plain text, feeds, PDF, EPUB, Word and OpenDocument files.',
    ),
  ),
  scriptUrls: crawlSetting(
    setting(
      onOff(),
      false,
      'Also visit URLs that occur in the scripts of a page but are not linked: strings that look like pages, and data requests that return HTML. Up to 100 per page.',
    ),
    { label: 'URLs in scripts' },
  ),
} as const
