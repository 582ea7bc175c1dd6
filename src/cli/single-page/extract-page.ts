// Applies extraction rules to one page that is fetched now, or to a file.

import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Config } from '../../config/schema.ts'
import type { ExtractRule } from '../../config/values/extract-rules.ts'
import { extractInTurns } from '../../engine/extract/extract-page.ts'
import { compileRules, type ExtractedField } from '../../engine/extract/read-fields.ts'
import { detectContentType } from '../../engine/media/detect-type.ts'
import { decodeHtml } from '../../engine/parse/charset/decode-html.ts'
import { AppError } from '../../lib/errors.ts'
import type { StructuredData } from '../../ports/pages.ts'
import type { Openers } from '../io.ts'
import { fetchPage, withFetcher } from './fetch-page.ts'

export interface ExtractedPage {
  fields: (ExtractedField & { name: string })[]
  missing: string[]
  structured_data: StructuredData | null
  note: string | null
}

/** `named` is an http URL or the name of an HTML file. */
export async function extractPage(
  named: string,
  config: Config,
  openers: Pick<Openers, 'openFetcher'>,
): Promise<ExtractedPage> {
  const isUrl = /^https?:\/\//i.test(named)
  const { html, url } = isUrl ? await fetchHtml(named, config, openers) : await readHtmlFile(named)
  return extractFromHtml(html, url, config.rules)
}

/** Returns the structured data of the page if there are no rules. */
export async function extractFromHtml(
  html: string,
  url: string,
  rules: readonly ExtractRule[],
): Promise<ExtractedPage> {
  const extraction = { rules: compileRules(rules), structuredData: rules.length === 0 }
  const { fields, data, note } = await extractInTurns(html, url, extraction)
  return {
    fields: [...fields].map(([name, field]) => ({ name, ...field })),
    missing: data?.missing ?? [],
    structured_data: data?.structured_data ?? null,
    note,
  }
}

async function readHtmlFile(file: string): Promise<{ html: string; url: string }> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new AppError('FILE_UNREADABLE', `${file} is neither an http URL nor a file that can be read.`, { cause })
  })
  return { html: decodeHtml(bytes, '').text, url: pathToFileURL(file).href }
}

async function fetchHtml(named: string, config: Config, openers: Pick<Openers, 'openFetcher'>) {
  return withFetcher(named, config, openers, async (fetcher, url) => {
    const { status, body, contentType } = await fetchPage(fetcher, url)
    if (status !== 200) throw new AppError('BAD_SEED', `${named} responded with HTTP status ${status}.`)
    const { type, mediaType } = detectContentType(contentType, body)
    if (type !== 'html') throw new AppError('BAD_SEED', `${named} is not an HTML page but ${mediaType}.`)
    return { html: decodeHtml(body, contentType).text, url }
  })
}
