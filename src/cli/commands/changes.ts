import type { ClientResponse } from '../../api/client.ts'
import type { RouteInput } from '../../api/contract/routes.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { toMoment } from '../../config/time-kinds.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { systemClock } from '../../lib/clock.ts'
import { isoTime } from '../../lib/iso-time.ts'
import { diffOutput } from '../format/diff-output.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits, sanitizeText } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { type ReadClient, withReadClient } from '../read-client/read-client.ts'

const MAX_SHOWN = 50
const READ_AT_ONCE = 200

type Change = ClientResponse<'listChanges'>['items'][number]
type ChangeQuery = RouteInput<'listChanges'>['query']

const COLUMNS: TableColumn<Change>[] = [
  { title: 'seen', align: 'left', value: ({ at }) => formatTime(at), short: ({ at }) => formatTime(at).slice(5, 16) },
  { title: 'change', align: 'left', value: ({ kind }) => kind },
  { title: 'words', align: 'right', value: formatWords, dropAs: 2 },
  { title: 'URL', align: 'left', value: ({ url }) => url, isFlexible: 'url' },
  { title: 'what', align: 'left', value: ({ summary }) => summary, dropAs: 1 },
]

export const changes: Command = {
  usage: '[id | url]',
  help: 'List what has changed on watched sites, newest first. --diff shows how the text differs.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'archiveStore', 'healthSecret', 'since', 'kind', 'diff', 'json'],
  async run(config, [target], io) {
    return withReadClient(config, io, async (client) => {
      const query = await toQuery(target, config, client)
      if (config.json) await printJson(query, { config, io, client })
      else await printTable(query, { config, io, client })
      return 0
    })
  },
}

interface Output {
  config: Config
  io: Io
  client: ReadClient
}

async function toQuery(target: string | undefined, config: Config, client: ReadClient): Promise<ChangeQuery> {
  const isUrl = target?.includes('://') === true
  return {
    ...(target === undefined || isUrl ? {} : { crawl_id: await client.findCrawlId(target) }),
    ...(isUrl ? { url: target } : {}),
    ...(config.kind === null ? {} : { kind: config.kind }),
    ...(config.since === null ? {} : { since: isoTime(toMoment(config.since, systemClock.now())) }),
    min_words: 0,
    order: 'newest',
    limit: READ_AT_ONCE,
  }
}

async function printJson(query: ChangeQuery, { config, io, client }: Output): Promise<void> {
  let cursor: string | null = null
  do {
    const page: ClientResponse<'listChanges'> = await client.listChanges({
      query: { ...query, ...(cursor === null ? {} : { cursor }) },
    })
    for (const change of page.items) io.stdout.write(jsonLine(config.diff ? await readDiff(change, client) : change))
    cursor = page.next_cursor
  } while (cursor !== null)
}

async function printTable(query: ChangeQuery, { config, io, client }: Output): Promise<void> {
  const { items } = await client.listChanges({ query: { ...query, limit: MAX_SHOWN + 1 } })
  const shown = items.slice(0, MAX_SHOWN)
  const print = (lines: string[]) => io.stdout.write(`${lines.join('\n')}\n`)
  if (shown.length === 0) return void print([await explainNothing(query, client)])
  if (config.diff) {
    const { color } = detectCapabilities(io.stdout, io.env)
    for (const change of shown) {
      const words = formatWords(change)
      print([sanitizeText(`${formatTime(change.at)}  ${change.kind}  ${words}  ${change.url}`)])
      // A new page has no earlier text, and a removed page has only the server's error.
      if (change.kind !== 'changed' && change.kind !== 'returned') print([`   ${sanitizeText(change.summary)}`])
      else print(diffOutput(await readDiff(change, client), change.summary, color))
    }
  } else print(tableLines(COLUMNS, shown, outputWidth(io.stdout)))
  if (items.length > shown.length) print([`There are more than ${MAX_SHOWN} changes; --json prints all of them.`])
}

function readDiff({ change_id }: Change, client: ReadClient): Promise<ClientResponse<'getChange'>> {
  return client.getChange({ params: { change_id } })
}

async function explainNothing({ crawl_id }: ChangeQuery, client: ReadClient): Promise<string> {
  const { pending } = await client.countChanges({ query: crawl_id === undefined ? {} : { crawl_id } })
  if (pending > 0)
    return `No changes yet; ${groupDigits(pending)} not examined. A crawl in progress, or a server, examines them.`
  return 'No changes. They are found by crawls with --recrawl or --schedule.'
}

function formatTime(at: string): string {
  return at.slice(0, 19).replace('T', ' ')
}

function formatWords({ words_added: added, words_removed: removed }: Change): string {
  if (added === null || removed === null) return '?'
  return `+${groupDigits(added)} -${groupDigits(removed)}`
}
