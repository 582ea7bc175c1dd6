// What `import ... from 'orbweaver'` offers. Changes here follow semantic versioning; test/package compares the
// declarations with api-report.txt.

export type { ChangeKind } from '../config/values/change-kinds.ts'
export type { ExportFormat } from '../config/values/export-formats.ts'
export type { ExtractRule } from '../config/values/extract-rules.ts'
export { AppError as OrbweaverError } from '../lib/errors.ts'
export type { HookLink, HookPage, HookRequest } from '../ports/hooks.ts'
export type { FieldValue, PageData, StructuredData, StructuredItem } from '../ports/pages.ts'
export type { CrawlHooks } from '../worker/hooks/serve-hooks.ts'
export { type AuditedRule, type AuditFinding, type AuditOptions, type AuditReport, auditCrawl } from './audit.ts'
export type { ChangeOptions, PageChange } from './changes.ts'
export { type CrawlRun, type CrawlSummary, crawl, resumeCrawl } from './crawl.ts'
export type { CrawlOptions, StoreOptions } from './options.ts'
export type { Page, PageContent } from './page.ts'
export {
  type CrawlInfo,
  openStore,
  type SearchAnswer,
  type SearchHit,
  type Store,
  type UrlExplanation,
} from './store.ts'
