// Pages that were kept: records, bytes, text and history. Nothing that was crawled is given out as something that a
// browser would run.

import { toPageRecord } from '../../engine/pages/page-record.ts'
import { diffText } from '../../engine/pages/text-changes.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findPage } from '../requests/find-crawl.ts'
import { pageJson } from '../views/row-json.ts'

/** Were a browser to show it all the same, it could do nothing. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'" }

export function pageHandlers(
  parts: ApiDependencies,
): HandlersFor<'findPages' | 'getPage' | 'getPageRaw' | 'getPageText' | 'getPageHistory'> {
  const { pages, pageCache } = parts
  return {
    async findPages({ query }) {
      const target = normaliseUrl(query.url)
      if ('problem' in target) throw new AppError('BAD_SEED', `"${query.url}" is not an http or https url.`)
      const versions = await pages.history(target.url)
      return { items: versions.map(pageJson), next_cursor: null, total: versions.length }
    },
    async getPage({ params, query }) {
      const version = await findPage(pages, params.page_id)
      const page = await pageCache.read(version)
      const record = toPageRecord(query.html ? page : { ...page, html: null })
      return { page_id: version.id, crawl_id: version.crawlId, ...record }
    },
    async getPageRaw({ params }) {
      const version = await findPage(pages, params.page_id)
      const { body } = await pageCache.read(version)
      return { type: 'application/octet-stream', filename: `page-${version.id}.bin`, headers: SANDBOX, body }
    },
    async getPageText({ params }) {
      const { text } = await pageCache.read(await findPage(pages, params.page_id))
      return { type: 'text/plain; charset=utf-8', filename: null, headers: SANDBOX, body: text }
    },
    async getPageHistory({ params }) {
      const version = await findPage(pages, params.page_id)
      const versions = await pages.history(version.url)
      const before = versions.findLast((one) => one.version < version.version)
      return {
        url: version.url,
        versions: versions.map(pageJson),
        diff: before === undefined ? null : await diffText(before, version, (one) => pageCache.read(one)),
      }
    },
  }
}
