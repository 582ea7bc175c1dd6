import { type CrawlSettings, DEFAULT_MAX_LINKS } from '../../ports/crawls.ts'

/** Crawls that were made before a setting came do not name it. */
const ADDED_SETTINGS = { maxLinks: DEFAULT_MAX_LINKS } satisfies Partial<CrawlSettings>

/** The settings of a crawl as they are stored. */
export function parseSettings(stored: unknown): CrawlSettings {
  return { ...ADDED_SETTINGS, ...(JSON.parse(String(stored)) as CrawlSettings) }
}
