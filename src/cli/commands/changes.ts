import { changeJson, comparisonJson } from '../../api/views/change-json.ts'
import { compareVersions, type VersionComparison } from '../../changes/compare-versions.ts'
import { compileIgnoreRules } from '../../changes/ignore-rules.ts'
import { HostNoise } from '../../changes/noise/host-noise.ts'
import type { Config } from '../../config/schema.ts'
import { toMoment } from '../../config/time-kinds.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { ChangeQuery, PublishedChange } from '../../ports/changes.ts'
import { diffOutput } from '../format/diff-output.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits, sanitizeText } from '../format/units.ts'
import type { Command, Io, ReadSession } from '../io.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { withReadSession } from '../with-read-session.ts'

const MAX_SHOWN = 50
const READ_AT_ONCE = 200

const COLUMNS: TableColumn<PublishedChange>[] = [
  { title: 'seen', align: 'left', value: ({ at }) => formatTime(at), short: ({ at }) => formatTime(at).slice(5, 16) },
  { title: 'change', align: 'left', value: ({ kind }) => kind },
  { title: 'words', align: 'right', value: formatWords, dropAs: 2 },
  { title: 'URL', align: 'left', value: ({ url }) => url, isFlexible: true },
  { title: 'what', align: 'left', value: ({ summary }) => summary, dropAs: 1 },
]

export const changes: Command = {
  usage: '[id | url]',
  help: 'List what has changed on watched sites, newest first; --diff shows how the text differs.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'archiveStore', 'healthSecret', 'since', 'kind', 'diff', 'json'],
  async run(config, [target], io) {
    return withReadSession(config, io, async (readSession) => {
      const query = await toQuery(target, config, readSession)
      if (config.json) await printJson(query, { config, io, readSession })
      else await printTable(query, { config, io, readSession })
      return 0
    })
  },
}

interface Output {
  config: Config
  io: Io
  readSession: ReadSession
}

async function toQuery(target: string | undefined, config: Config, { crawls }: ReadSession): Promise<ChangeQuery> {
  const isUrl = target?.includes('://') === true
  return {
    crawlId: target === undefined || isUrl ? null : (await crawls.find(target)).id,
    url: isUrl ? toUrl(target) : null,
    kinds: config.kind === null ? [] : [config.kind],
    since: config.since === null ? null : toMoment(config.since, systemClock.now()),
    until: null,
    minWords: 0,
    order: 'newest',
    after: null,
    limit: READ_AT_ONCE,
  }
}

function toUrl(text: string): string {
  const target = normaliseUrl(text)
  if ('problem' in target) throw new AppError('USAGE', `"${text}" is not an http or https URL.`)
  return target.url
}

async function printJson(query: ChangeQuery, { config, io, readSession }: Output): Promise<void> {
  for (let after: number | null = null; ; ) {
    const found: PublishedChange[] = await readSession.changes.list({ ...query, after })
    for (const change of found) {
      const more = config.diff ? comparisonJson(await compareChange(change, readSession)) : {}
      io.stdout.write(jsonLine({ ...changeJson(change), ...more }))
    }
    const last = found.at(-1)
    if (found.length < query.limit || last === undefined) return
    after = last.cursor
  }
}

async function printTable(query: ChangeQuery, { config, io, readSession }: Output): Promise<void> {
  const found = await readSession.changes.list({ ...query, limit: MAX_SHOWN + 1 })
  const shown = found.slice(0, MAX_SHOWN)
  const print = (lines: string[]) => io.stdout.write(`${lines.join('\n')}\n`)
  if (shown.length === 0) return void print([await explainNothing(query, readSession)])
  if (config.diff) {
    const { color } = detectCapabilities(io.stdout, io.env)
    for (const change of shown) {
      const words = formatWords(change)
      print([sanitizeText(`${formatTime(change.at)}  ${change.kind}  ${words}  ${change.url}`)])
      // There is no text before a new page, and a page that is gone has only the server's error.
      if (change.kind !== 'changed' && change.kind !== 'returned') print([`   ${sanitizeText(change.summary)}`])
      else print(diffOutput(await compareChange(change, readSession), change.summary, color))
    }
  } else print(tableLines(COLUMNS, shown, outputWidth(io.stdout)))
  if (found.length > shown.length) print([`There are more than ${MAX_SHOWN} changes; --json prints all of them.`])
}

async function explainNothing({ crawlId }: ChangeQuery, { changes }: ReadSession): Promise<string> {
  const { pending } = await changes.count(crawlId, null)
  if (pending > 0)
    return `No changes yet; ${groupDigits(pending)} not examined. A crawl in progress, or a server, examines them.`
  return 'No changes. They are found by crawls with --recrawl or --schedule.'
}

async function compareChange(change: PublishedChange, readSession: ReadSession): Promise<VersionComparison> {
  const { changes, crawls, pages } = readSession
  const { settings } = await crawls.find(change.crawlId)
  const { isRepeated } = change
  const noise = new HostNoise(await changes.noise(change.crawlId, change.urlId))
  const [before, after] = [change.previousPageId, change.pageId].map((id) => (id === null ? null : pages.find(id)))
  return compareVersions(
    (await before) ?? null,
    (await after) ?? null,
    { rules: compileIgnoreRules(settings), noise, isRepeated },
    readSession,
  )
}

function formatTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

function formatWords({ wordsAdded, wordsRemoved }: PublishedChange): string {
  if (wordsAdded === null || wordsRemoved === null) return '?'
  return `+${groupDigits(wordsAdded)} -${groupDigits(wordsRemoved)}`
}
