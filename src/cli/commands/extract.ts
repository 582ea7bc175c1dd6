// Applies extraction rules to one page, so that they can be checked before a crawl uses them.

import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { REQUEST_SETTINGS, STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { extractInTurns } from '../../engine/extract/extract-page.ts'
import { compileRules, type ExtractedField } from '../../engine/extract/read-fields.ts'
import { detectContentType } from '../../engine/media/detect-type.ts'
import { decodeHtml } from '../../engine/parse/charset/decode-html.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { fetchPage } from '../fetch-page.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { withReadClient } from '../read-client/read-client.ts'
import { requireUrl } from '../required-arguments.ts'
import { requireVersions } from './page.ts'

interface Extracted {
  fields: (ExtractedField & { name: string })[]
  missing: string[]
  structured_data: unknown
  note: string | null
}

export const extract: Command = {
  usage: '<url|file|page-id>',
  help: 'Apply extraction rules to a page: fetched now, in an HTML file, or archived.',
  maxArguments: 1,
  settings: [
    ...STORE_OR_SERVER,
    'rules',
    'archived',
    'archiveStore',
    'healthSecret',
    ...REQUEST_SETTINGS,
    'maxBody',
    'json',
  ],
  async run(config, args, io) {
    const named = requireUrl(args, 'extract --rules rules.json', io)
    const isArchived = config.archived || /^[1-9]\d{0,14}$/.test(named)
    const extracted = isArchived ? await readArchived(named, config, io) : await readNow(named, config, io)
    if (config.json) io.stdout.write(jsonLine(extracted))
    else io.stdout.write(`${extractedLines(extracted).join('\n')}\n`)
    return extracted.missing.length === 0 ? EXIT.completed : EXIT.failed
  },
}

/** Without rules, the structured data of the page is shown. */
async function readArchived(named: string, { rules, ...config }: Config, io: Io): Promise<Extracted> {
  return withReadClient({ rules, ...config }, io, async (client) => {
    const page_id = config.archived ? (await requireVersions(client, named)).at(-1)?.page_id : Number(named)
    if (page_id === undefined) throw new AppError('PAGE_NOT_FOUND', `The archive has no page ${named}.`)
    const body = { rules: rules.map((rule) => ({ ...rule })), structured_data: rules.length === 0 }
    const { url: _, ...extracted } = await client.extractFromPage({ params: { page_id }, body })
    return extracted
  })
}

async function readNow(named: string, config: Config, io: Io): Promise<Extracted> {
  const { html, url } = /^https?:\/\//i.test(named) ? await fetchHtml(named, config, io) : await readHtmlFile(named)
  const extraction = { rules: compileRules(config.rules), structuredData: config.rules.length === 0 }
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

async function fetchHtml(named: string, config: Config, io: Io): Promise<{ html: string; url: string }> {
  const target = normaliseUrl(named)
  if ('problem' in target) throw new AppError('BAD_SEED', `"${named}" is not an http or https URL.`)
  const fetcher = await io.openFetcher(config, [target.url])
  try {
    const { status, body, contentType } = await fetchPage(fetcher, target.url)
    if (status !== 200) throw new AppError('BAD_SEED', `${named} responded with HTTP status ${status}.`)
    const { type, mediaType } = detectContentType(contentType, body)
    if (type !== 'html') throw new AppError('BAD_SEED', `${named} is not an HTML page but ${mediaType}.`)
    return { html: decodeHtml(body, contentType).text, url: target.url }
  } finally {
    await fetcher.close()
  }
}

function extractedLines({ fields, missing, structured_data, note }: Extracted): string[] {
  const lines = fields.flatMap(({ name, value, matches, rejected }) => {
    const values = Array.isArray(value) ? value : value === null ? [] : [value]
    const found = matches === 0 ? 'no element matches' : pluralize(matches, 'element')
    const required = missing.includes(name) ? ', but required' : ''
    return [
      `${name} (${found}${values.length === 0 && matches > 0 ? ', no value' : ''}${required})`,
      ...values.map((each) => `  ${sanitizeText(String(each))}`),
      ...rejected.map((text) => `  not of this type: ${sanitizeText(text)}`),
    ]
  })
  const data = structured_data === null ? [] : JSON.stringify(structured_data, null, 2).split('\n').map(sanitizeText)
  const nothing = lines.length + data.length === 0 ? ['The page has no structured data.'] : []
  return [...lines, ...data, ...nothing, ...(note === null ? [] : [`note: ${sanitizeText(note)}`])]
}
