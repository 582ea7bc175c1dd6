import { jsonLine } from '../../engine/export/jsonl.ts'
import { toPageRecord } from '../../engine/pages/page-record.ts'
import { type ArchivedPage, readPage, readRawPayload } from '../../engine/pages/read-page.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

/** One at a time. */
const FORMS = ['raw', 'wire', 'text', 'json'] as const

export const page: Command = {
  usage: '<url>',
  help: 'Show a page that was kept: what is known of it, or its bytes, text or record.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'version', ...FORMS],
  async run(config, args, io) {
    if (FORMS.filter((form) => config[form]).length > 1) {
      throw new AppError('USAGE', 'Ask for one form of the page: --raw, --wire, --text or --json.')
    }
    const url = requireUrl(args, 'page', io)
    return withReadSession(config, io, async (readSession) => {
      const versions = await requireVersions(readSession.pages, url)
      const version = config.version === null ? versions.at(-1) : versions.find(hasNumber(config.version))
      const newest = versions.at(-1)?.version ?? 0
      if (version === undefined) {
        const range = `${versions[0]?.version ?? 0} to ${newest}`
        throw new AppError('PAGE_NOT_FOUND', `There is no version ${config.version} of this page, only ${range}.`)
      }
      if (config.raw) io.stdout.write((await readPage(version, readSession)).body)
      else if (config.wire) io.stdout.write(await readRawPayload(version, readSession))
      else if (config.text) io.stdout.write(`${textOf(await readPage(version, readSession))}\n`)
      else if (config.json) io.stdout.write(jsonLine(toPageRecord(await readPage(version, readSession))))
      else {
        const twin = version.resembles === null ? null : await readSession.pages.find(version.resembles)
        io.stdout.write(`${pageLines(version, newest, twin?.url ?? null).join('\n')}\n`)
      }
      return 0
    })
  },
}

function hasNumber(number: number): (version: PageVersion) => boolean {
  return ({ version }) => version === number
}

/** At least one. */
export async function requireVersions(pages: Pages, text: string): Promise<PageVersion[]> {
  const target = normaliseUrl(text)
  const versions = 'url' in target ? await pages.history(target.url) : []
  if (versions.length === 0) throw new AppError('PAGE_NOT_FOUND', `Nothing was kept of ${text}.`)
  return versions
}

function textOf({ text }: ArchivedPage): string {
  return text.split('\n').map(sanitizeText).join('\n')
}

function pageLines(version: PageVersion, newest: number, resembles: string | null): string[] {
  const facts: [string, string | null][] = [
    ['title', version.title],
    ['visited', new Date(version.visitedAt).toISOString()],
    ['status', version.httpStatus === null ? null : String(version.httpStatus)],
    ['redirects to', version.redirectTo],
    ['canonical', version.canonical],
    ['noindex', version.noindex ? 'it asks not to be in a search index' : null],
    ['type', typeOf(version)],
    ['language', version.lang],
    ['size', `${formatBytes(version.wireBytes)} received`],
    ['words', version.words === null ? null : groupDigits(version.words)],
    ['version', `${version.version} of ${newest}, ${pluralize(version.changes, 'change')} seen`],
    ['description', version.description],
    ['note', version.note],
    ['resembles', resembles],
    ['kept in', archivePosition(version)],
  ]
  return [
    sanitizeText(version.url),
    ...facts.flatMap(([name, value]) => (value ? [`  ${name.padEnd(14)}${sanitizeText(value)}`] : [])),
  ]
}

function archivePosition({ isArchived, payload }: PageVersion): string {
  if (payload !== null) return `${payload.segment} at ${groupDigits(payload.offset)}`
  return isArchived ? 'lost: the store no longer knows where' : 'not kept'
}

/** The character set once: most types name it themselves. */
function typeOf({ contentType, charset }: PageVersion): string {
  const isNamed = contentType?.toLowerCase().includes('charset=') ?? false
  return [contentType, isNamed ? null : charset].filter(Boolean).join(', ')
}
