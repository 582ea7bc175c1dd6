import type { ClientResponse } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { type ReadClient, withReadClient } from '../read-client/read-client.ts'
import { requireUrl } from '../required-arguments.ts'

export type PageDetails = ClientResponse<'findPages'>['items'][number]

/** Mutually exclusive flags. */
const FORMS = ['raw', 'wire', 'text', 'markdown', 'extracted', 'json'] as const

export const page: Command = {
  usage: '<url|page-id>',
  help: 'Show an archived page: its details, body, text, Markdown or data. --json prints its record.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'archiveStore', 'healthSecret', 'version', ...FORMS],
  async run(config, args, io) {
    if (FORMS.filter((form) => config[form]).length > 1) {
      throw new AppError('USAGE', 'Use only one of --raw, --wire, --text, --markdown, --extracted and --json.')
    }
    const named = requireUrl(args, 'page', io)
    return withReadClient(config, io, async (client) => {
      const pageId = PAGE_ID.test(named) ? Number(named) : null
      const url =
        pageId === null
          ? named
          : (await client.getPage({ params: { page_id: pageId }, query: { html: false } })).original_url
      const versions = await requireVersions(client, url)
      const version = findVersion(versions, pageId, config.version)
      const newest = versions.at(-1)?.version ?? 0
      if (version === undefined) {
        const range = `${versions[0]?.version ?? 0} to ${newest}`
        throw new AppError(
          'PAGE_NOT_FOUND',
          `There is no version ${config.version} of this page; the archive has versions ${range}.`,
        )
      }
      const params = { page_id: version.page_id }
      if (config.raw || config.wire) {
        const response = await client.getPageRaw({ params, query: { wire: config.wire } })
        io.stdout.write(Buffer.from(await response.arrayBuffer()))
      } else if (config.text) {
        const text = await (await client.getPageText({ params })).text()
        io.stdout.write(`${text.split('\n').map(sanitizeText).join('\n')}\n`)
      } else if (config.markdown) {
        const markdown = await (await client.getPageMarkdown({ params })).text()
        io.stdout.write(markdown.split('\n').map(sanitizeText).join('\n'))
      } else if (config.extracted) {
        io.stdout.write(jsonLine(await client.getPageData({ params })))
      } else if (config.json) {
        const { page_id: _, crawl_id: __, ...record } = await client.getPage({ params, query: { html: true } })
        io.stdout.write(jsonLine(record))
      } else io.stdout.write(`${pageLines(version, newest).join('\n')}\n`)
      return 0
    })
  },
}

const PAGE_ID = /^[1-9]\d{0,14}$/

/** The version with this number; otherwise the page with this id; otherwise the newest. */
function findVersion(versions: PageDetails[], pageId: number | null, number: number | null): PageDetails | undefined {
  if (number !== null) return versions.find(hasNumber(number))
  return pageId === null ? versions.at(-1) : versions.find(({ page_id }) => page_id === pageId)
}

function hasNumber(number: number): (version: PageDetails) => boolean {
  return ({ version }) => version === number
}

/** Throws if the archive has no version of the page. */
export async function requireVersions(client: Pick<ReadClient, 'findPages'>, url: string): Promise<PageDetails[]> {
  const { items } = await client.findPages({ query: { url } })
  if (items.length === 0) throw new AppError('PAGE_NOT_FOUND', `The archive has no page ${url}.`)
  return items
}

function pageLines(version: PageDetails, newest: number): string[] {
  const facts: [string, string | null][] = [
    ['title', version.title],
    ['visited', version.visited_at],
    ['status', version.http_status === null ? null : String(version.http_status)],
    ['redirects to', version.redirect_to],
    ['canonical', version.canonical],
    ['noindex', version.noindex ? 'not indexed, at the request of the page' : null],
    ['type', formatType(version)],
    ['language', version.lang],
    ['size', `${formatBytes(version.wire_bytes)} received`],
    ['words', version.words === null ? null : groupDigits(version.words)],
    ['version', `${version.version} of ${newest}, ${pluralize(version.changes, 'change')} so far`],
    ['description', version.description],
    ['note', version.note],
    ['similar to', version.resembles_url],
    ['archived in', archivePosition(version)],
  ]
  return [
    sanitizeText(version.url),
    ...facts.flatMap(([name, value]) => (value ? [`  ${name.padEnd(14)}${sanitizeText(value)}`] : [])),
  ]
}

function archivePosition({ is_kept, payload }: PageDetails): string {
  if (payload !== null) return `${payload.segment} at ${groupDigits(payload.offset)}`
  return is_kept ? 'unknown: the store has lost its position' : 'not archived'
}

/** The content type, with the charset if the type does not name it. */
function formatType({ content_type, charset }: PageDetails): string {
  const isNamed = content_type?.toLowerCase().includes('charset=') ?? false
  return [content_type, isNamed ? null : charset].filter(Boolean).join(', ')
}
