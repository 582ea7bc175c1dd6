// Every setting of a crawl: flags, environment, config files, the API, the web form, the stored document, the reference
// pages and the contract cases all follow from the entries in crawl/. CONTRIBUTING.md has the recipe.

import { ARCHIVE_SETTINGS } from './crawl/archive.ts'
import { DATA_SETTINGS } from './crawl/data.ts'
import { FRESHNESS_SETTINGS } from './crawl/freshness.ts'
import { LIMITS_SETTINGS } from './crawl/limits.ts'
import { NETWORK_SETTINGS } from './crawl/network.ts'
import { POLITENESS_SETTINGS } from './crawl/politeness.ts'
import { RENDERING_SETTINGS } from './crawl/rendering.ts'
import { SCOPE_SETTINGS } from './crawl/scope.ts'
import { SPEED_SETTINGS } from './crawl/speed.ts'
import { inGroup } from './setting.ts'

export const CRAWL_SCHEMA = {
  ...inGroup('Limits', LIMITS_SETTINGS),
  ...inGroup('Scope', SCOPE_SETTINGS),
  ...inGroup('Freshness', FRESHNESS_SETTINGS),
  ...inGroup('Speed', SPEED_SETTINGS),
  ...inGroup('Politeness', POLITENESS_SETTINGS),
  ...inGroup('Rendering', RENDERING_SETTINGS),
  ...inGroup('Archive', ARCHIVE_SETTINGS),
  ...inGroup('Data', DATA_SETTINGS),
  ...inGroup('Network', NETWORK_SETTINGS),
}
