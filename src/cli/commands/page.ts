import { jsonLine } from '../../engine/export/jsonl.ts'
import { toPageRecord } from '../../engine/pages/page-record.ts'
import {
  type ArchivedPage,
  type PageReaderDependencies,
  readArchivedPage,
  readRawPayload,
} from '../../engine/pages/read-archived-page.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

/** Mutually exclusive flags. */
const FORMS = ['raw', 'wire', 'text', 'markdown', 'json'] as const

export const page: Command = {
  usage: '<url|page-id>',
  help: 'Show an archived page: its details, body, text, Markdown or JSON record.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'version', ...FORMS],
  async run(config, args, io) {
    if (FORMS.filter((form) => config[form]).length > 1) {
      throw new AppError('USAGE', 'Use only one of --raw, --wire, --text, --markdown and --json.')
    }
    const named = requireUrl(args, 'page', io)
    return withReadSession(config, io, async (readSession) => {
      const { version, newest } = await findVersion(readSession.pages, named, config.version)
      if (config.raw) io.stdout.write((await readArchivedPage(version, readSession)).body)
      else if (config.wire) io.stdout.write(await readRawPayload(version, readSession))
      else if (config.text) io.stdout.write(`${printableText(await readArchivedPage(version, readSession))}\n`)
      else if (config.markdown) io.stdout.write(await printableMarkdown(version, readSession))
      else if (config.json) io.stdout.write(jsonLine(toPageRecord(await readArchivedPage(version, readSession))))
      else {
        const original = version.resembles === null ? null : await readSession.pages.find(version.resembles)
        io.stdout.write(`${pageLines(version, newest, original?.url ?? null).join('\n')}\n`)
      }
      return 0
    })
  },
}

/** By page id, or by URL: then the newest version, or the one with this number. */
async function findVersion(pages: Pages, named: string, number: number | null) {
  if (PAGE_ID.test(named) && number === null) {
    const version = await pages.find(Number(named))
    if (version === null) throw new AppError('PAGE_NOT_FOUND', `The archive has no page with the id ${named}.`)
    const versions = await pages.history(version.url)
    return { version, newest: versions.at(-1)?.version ?? version.version }
  }
  const versions = await requireVersions(pages, named)
  const version = number === null ? versions.at(-1) : versions.find(hasNumber(number))
  const newest = versions.at(-1)?.version ?? 0
  if (version !== undefined) return { version, newest }
  const range = `${versions[0]?.version ?? 0} to ${newest}`
  throw new AppError('PAGE_NOT_FOUND', `There is no version ${number} of this page; the archive has versions ${range}.`)
}

const PAGE_ID = /^[1-9]\d{0,14}$/

function hasNumber(number: number): (version: PageVersion) => boolean {
  return ({ version }) => version === number
}

/** Throws if the archive has no version of the page. */
export async function requireVersions(pages: Pages, text: string): Promise<PageVersion[]> {
  // The URL of a crawl with --hash-routes has a fragment.
  const targets = [normaliseUrl(text, undefined, true), normaliseUrl(text)]
  let versions: PageVersion[] = []
  for (const target of targets) if (versions.length === 0 && 'url' in target) versions = await pages.history(target.url)
  if (versions.length === 0) throw new AppError('PAGE_NOT_FOUND', `The archive has no page ${text}.`)
  return versions
}

function printableText({ text }: Pick<ArchivedPage, 'text'>): string {
  return text.split('\n').map(sanitizeText).join('\n')
}

/** Imported on demand: the parser takes time to load. */
async function printableMarkdown(version: PageVersion, session: PageReaderDependencies): Promise<string> {
  const { pageMarkdown } = await import('../../engine/content/page-markdown.ts')
  return printableText({ text: pageMarkdown(await readArchivedPage(version, session)) })
}

function pageLines(version: PageVersion, newest: number, similarTo: string | null): string[] {
  const facts: [string, string | null][] = [
    ['title', version.title],
    ['visited', new Date(version.visitedAt).toISOString()],
    ['status', version.httpStatus === null ? null : String(version.httpStatus)],
    ['redirects to', version.redirectTo],
    ['canonical', version.canonical],
    ['noindex', version.noindex ? 'not indexed, at the request of the page' : null],
    ['type', formatType(version)],
    ['language', version.lang],
    ['size', `${formatBytes(version.wireBytes)} received`],
    ['words', version.words === null ? null : groupDigits(version.words)],
    ['version', `${version.version} of ${newest}, ${pluralize(version.changes, 'change')} so far`],
    ['description', version.description],
    ['note', version.note],
    ['similar to', similarTo],
    ['archived in', archivePosition(version)],
  ]
  return [
    sanitizeText(version.url),
    ...facts.flatMap(([name, value]) => (value ? [`  ${name.padEnd(14)}${sanitizeText(value)}`] : [])),
  ]
}

function archivePosition({ isArchived, payload }: PageVersion): string {
  if (payload !== null) return `${payload.segment} at ${groupDigits(payload.offset)}`
  return isArchived ? 'unknown: the store has lost its position' : 'not archived'
}

/** The content type, with the charset if the type does not name it. */
function formatType({ contentType, charset }: PageVersion): string {
  const isNamed = contentType?.toLowerCase().includes('charset=') ?? false
  return [contentType, isNamed ? null : charset].filter(Boolean).join(', ')
}
