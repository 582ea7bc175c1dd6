// Settings of a crawl: which pages are opened in a browser, and how.

import { crawlSetting, optional, setting } from '../setting.ts'
import { oneOf, onOff, patterns, selectorOrTime } from '../setting-kinds.ts'

const MAX_RENDER_WAIT_MS = 30_000

export const RENDERING_SETTINGS = {
  render: crawlSetting(
    setting(
      oneOf(['off', 'auto', 'all']),
      'off',
      'Run the scripts of HTML pages in a browser before reading them: for no pages, for pages that need it, or for all.',
    ),
    { label: 'Render pages', choiceLabels: { off: 'Off', auto: 'If needed', all: 'All' } },
  ),
  renderInclude: crawlSetting(
    setting(patterns(), [], 'Render only URLs that match one of these patterns; repeatable.'),
    { label: 'Render include patterns' },
  ),
  renderWait: crawlSetting(
    optional(
      selectorOrTime(MAX_RENDER_WAIT_MS),
      'In addition to waiting for a page to settle, wait for an element (CSS selector) or this many milliseconds.',
    ),
    { label: 'Wait for' },
  ),
  renderScroll: crawlSetting(setting(onOff(), false, 'Scroll down rendered pages until nothing more is loaded.'), {
    label: 'Scroll pages',
  }),
  screenshots: crawlSetting(setting(onOff(), false, 'Archive a screenshot of each rendered page.')),
  hashRoutes: crawlSetting(
    setting(onOff(), false, 'Treat #/path and #!path as separate URLs; only rendering can tell them apart.'),
  ),
} as const
