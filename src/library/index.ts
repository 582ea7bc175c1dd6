// What `import ... from 'orbweaver'` offers. Changes here follow semantic versioning; test/package compares the
// declarations with api-report.txt.

export { AppError as OrbweaverError } from '../lib/errors.ts'
export { type CrawlRun, type CrawlSummary, crawl, resumeCrawl } from './crawl.ts'
export type { CrawlOptions, StoreOptions } from './options.ts'
export type { Page, PageContent } from './page.ts'
export { type CrawlInfo, openStore, type SearchAnswer, type SearchHit, type Store } from './store.ts'
