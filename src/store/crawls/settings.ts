import { type CrawlSettings, DEFAULT_MAX_LINKS } from '../../ports/crawls.ts'

/** Defaults of settings that older crawls do not have. */
const ADDED_SETTINGS = { maxLinks: DEFAULT_MAX_LINKS } satisfies Partial<CrawlSettings>

/** Parses the settings of a crawl as stored. */
export function parseSettings(stored: unknown): CrawlSettings {
  return { ...ADDED_SETTINGS, ...(JSON.parse(String(stored)) as CrawlSettings) }
}
