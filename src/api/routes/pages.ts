// Handlers for archived pages: records, bodies, text and history. Crawled content is never served here in a form that a
// browser would show; api/replay does that.

import { compareVersions, PLAIN_COMPARISON } from '../../changes/compare-versions.ts'
import { extractRules } from '../../config/extract-kind.ts'
import { explainInvalid, InvalidValue } from '../../config/setting-kinds.ts'
import type { ExtractRule } from '../../config/values/extract-rules.ts'
import { pageChunks, pageMarkdown } from '../../engine/content/page-markdown.ts'
import { extractInTurns } from '../../engine/extract/extract-page.ts'
import { compileRules } from '../../engine/extract/read-fields.ts'
import { toPageRecord } from '../../engine/pages/page-record.ts'
import { readBody, readRawPayload } from '../../engine/pages/read-archived-page.ts'
import { AppError } from '../../lib/errors.ts'
import { SCREENSHOT_TYPE } from '../../ports/archive.ts'
import type { PageData, PageVersion } from '../../ports/pages.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { readHistory } from '../replay/archived-urls.ts'
import { findPage } from '../requests/find-crawl.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { pageDetailsJson, pageJson } from '../views/row-json.ts'

/** Sent in case a browser renders the content anyway. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'" }

const NO_DATA: PageData = { fields: null, missing: [], structured_data: null }

export interface PageDependencies extends Pick<ApiDependencies, 'pages' | 'versionReader'> {
  pageCache: Pick<ApiDependencies['pageCache'], 'read'>
}

export function pageHandlers(
  dependencies: PageDependencies,
): HandlersFor<
  | 'findPages'
  | 'getPage'
  | 'getPageRaw'
  | 'getPageText'
  | 'getPageMarkdown'
  | 'getPageChunks'
  | 'getPageData'
  | 'extractFromPage'
  | 'getPageScreenshot'
  | 'getPageHistory'
> {
  const { pages, pageCache, versionReader } = dependencies
  return {
    async findPages({ query }) {
      const versions = await readHistory(query.url, pages)
      const items = await Promise.all(versions.map(detailsJson))
      return { items, next_cursor: null, total: versions.length }
    },
    async getPage({ params, query }) {
      const version = await findPage(pages, params.page_id)
      const page = await pageCache.read(version)
      const record = toPageRecord(query.html ? page : { ...page, html: null })
      return { page_id: version.id, crawl_id: version.crawlId, ...record }
    },
    async getPageRaw({ params, query }) {
      const version = await findPage(pages, params.page_id)
      const body = query.wire ? await readRawPayload(version, versionReader) : (await pageCache.read(version)).body
      return { type: 'application/octet-stream', filename: `page-${version.id}.bin`, headers: SANDBOX, body }
    },
    async getPageText({ params }) {
      const { text } = await pageCache.read(await findPage(pages, params.page_id))
      return { type: 'text/plain; charset=utf-8', filename: null, headers: SANDBOX, body: text }
    },
    async getPageMarkdown({ params }) {
      const page = await pageCache.read(await findPage(pages, params.page_id))
      return { type: 'text/markdown; charset=utf-8', filename: null, headers: SANDBOX, body: pageMarkdown(page) }
    },
    async getPageChunks({ params, query }) {
      const page = await pageCache.read(await findPage(pages, params.page_id))
      return { items: pageChunks(page, query.max_length) }
    },
    async getPageData({ params }) {
      const version = await findPage(pages, params.page_id)
      return (await pages.dataOf(version.id)) ?? NO_DATA
    },
    async extractFromPage({ params, body }) {
      const rules = checkRules(body.rules)
      const version = await findPage(pages, params.page_id)
      const { html } = await pageCache.read(version)
      const extraction = { rules: compileRules(rules), structuredData: body.structured_data }
      const { fields, data, note } = await extractInTurns(html ?? '', version.url, extraction)
      const named = [...fields].map(([name, field]) => ({ name, ...field }))
      const { missing, structured_data } = data ?? NO_DATA
      return { url: version.url, fields: named, missing, structured_data, note }
    },
    async getPageScreenshot({ params }) {
      const version = await findPage(pages, params.page_id)
      const { screenshot } = await readBody(version, versionReader)
      if (screenshot === null) {
        throw new AppError(
          'PAGE_NOT_FOUND',
          `Page ${version.id} has no screenshot. Crawl with --render and --screenshots.`,
        )
      }
      return { type: SCREENSHOT_TYPE, filename: null, headers: SANDBOX, body: screenshot }
    },
    async getPageHistory({ params }) {
      const version = await findPage(pages, params.page_id)
      const versions = await pages.history(version.url)
      const previous = versions.findLast((other) => other.version < version.version)
      return {
        url: version.url,
        versions: versions.map(pageJson),
        diff: previous === undefined ? null : await diffText(previous, version),
      }
    },
  }

  function checkRules(given: unknown): ExtractRule[] {
    const rules = extractRules().parse(given)
    if (!(rules instanceof InvalidValue)) return rules
    const message = `${explainInvalid('It', rules, given)}.`
    throw invalidFieldsError('BAD_REQUEST', [{ field: 'body.rules', message }])
  }

  async function detailsJson(version: PageVersion) {
    const original = version.resembles === null ? null : await pages.find(version.resembles)
    return pageDetailsJson(version, original?.url ?? null)
  }

  /** All lines of the main text of both versions, in order; null if one is unavailable. */
  async function diffText(before: PageVersion, after: PageVersion) {
    const compared = await compareVersions(before, after, PLAIN_COMPARISON, versionReader)
    return 'comparison' in compared ? compared.comparison.lines.map(({ kind, text }) => ({ kind, text })) : null
  }
}
