// Settings of a crawl: how it identifies itself, and which rules of sites it follows.

import pkg from '../../../package.json' with { type: 'json' }
import { crawlSetting, maskEach, onByDefault, setting } from '../setting.ts'
import { headerLine, headerValue, listOf, onOff } from '../setting-kinds.ts'
import { maskCustomHeader } from '../values/custom-header.ts'

export const POLITENESS_SETTINGS = {
  userAgent: crawlSetting(setting(headerValue('S'), `Orbweaver/${pkg.version}`, 'User-Agent of all requests.')),
  header: crawlSetting(
    setting(
      listOf(headerLine()),
      [],
      'Extra request header for the origins of the seeds, or for one origin: "https://host K: V"; "* K: V" is sent to every host. Repeatable.',
    ),
    { label: 'Request headers', storedAs: 'headers', needsAdmin: true, mask: maskEach(maskCustomHeader) },
  ),
  ignoreRobots: crawlSetting(setting(onOff(), false, 'Ignore robots.txt.'), {
    label: 'Ignore robots.txt',
    needsAdmin: true,
  }),
  metaRobots: crawlSetting(
    onByDefault(
      'Obey robots directives in pages and in X-Robots-Tag headers.',
      'Ignore robots directives in pages and in X-Robots-Tag headers.',
    ),
    { label: 'Obey meta robots' },
  ),
  relNofollow: crawlSetting(onByDefault('Skip links marked nofollow.', 'Also follow links marked nofollow.'), {
    label: 'Obey nofollow',
  }),
  skipUgcSponsored: crawlSetting(setting(onOff(), false, 'Also skip links marked ugc or sponsored.'), {
    label: 'Skip UGC and sponsored links',
  }),
} as const
