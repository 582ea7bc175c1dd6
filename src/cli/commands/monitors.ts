// Manages monitors, in the store or, with --server, on a running server.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ClientResponse } from '../../api/client.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { fileError } from '../files/file-error.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits, pluralize } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { type MonitorClient, withMonitorClient } from '../monitors/monitor-client.ts'
import {
  addDocuments,
  createMonitor,
  type DocumentRequest,
  findMonitorId,
  scanArchive,
} from '../monitors/monitor-requests.ts'
import { parseRule } from '../monitors/parse-rule.ts'

type Monitor = ClientResponse<'getMonitor'>
type Hit = ClientResponse<'getHit'>

const USAGE = [
  'list',
  'add <name> <rule>',
  'protect <monitor> <file or URL>...',
  'remove <monitor>',
  'scan <monitor> [<version>]',
  'hits [<monitor>]',
  'ack <hit>...',
  'mute <monitor> [<url>]',
  'unmute <monitor> [<url>]',
].join(', ')

export const monitors: Command = {
  usage: 'list|add|protect|remove|scan|hits|ack|mute|unmute ...',
  help: `Watch pages for words, patterns, values and copies of documents. Actions: ${USAGE}.`,
  maxArguments: 1000,
  settings: ['data', 'store', 'config', 'server', 'token', 'crawl', 'limit', 'json'],
  async run(config, [action = 'list', ...args], io) {
    const act = ACTIONS[action]
    if (act === undefined) throw new AppError('USAGE', `Name an action of monitors: ${USAGE}.`)
    return withMonitorClient(config, io, (client) => act(client, args, { config, io }))
  },
}

interface Context {
  config: Config
  io: Io
}

const ACTIONS: Record<string, (client: MonitorClient, args: string[], context: Context) => Promise<number>> = {
  list,
  add,
  protect,
  async remove(client, args, { io }) {
    await client.deleteMonitor({ params: { monitor_id: await findMonitorId(client, args[0]) } })
    return say(io, 'Removed.')
  },
  scan,
  hits,
  async ack(client, args, { config, io }) {
    const ids = args.map(Number)
    if (ids.length === 0 || !ids.every((id) => Number.isSafeInteger(id) && id > 0)) {
      throw new AppError('USAGE', 'Give the numbers of hits; "monitors hits" shows them.')
    }
    const { acknowledged } = await client.acknowledgeHits({ body: { hit_ids: ids } })
    if (acknowledged === 0) {
      return say(io, `No such hits are open. List them with: ${formatCommand(io.program, 'monitors hits', config)}`)
    }
    return say(io, acknowledged === 1 ? 'Acknowledged 1 hit.' : `Acknowledged ${acknowledged} hits.`)
  },
  mute: (client, args, context) => mute(client, args, { ...context, isMuted: true }),
  unmute: (client, args, context) => mute(client, args, { ...context, isMuted: false }),
}

async function list(client: MonitorClient, _args: string[], { config, io }: Context): Promise<number> {
  const { items } = await client.listMonitors()
  if (config.json) for (const monitor of items) io.stdout.write(jsonLine(monitor))
  else if (items.length === 0) {
    const next = formatCommand(io.program, 'monitors add <name> words <word>', config)
    return say(io, `There are no monitors. Add one with: ${next}`)
  } else io.stdout.write(`${tableLines(columnsFor(items), items, outputWidth(io.stdout)).join('\n')}\n`)
  return 0
}

async function add(client: MonitorClient, [name, ...args]: string[], context: Context): Promise<number> {
  const { config, io } = context
  if (name === undefined)
    throw new AppError('USAGE', 'Name the monitor and its rule: monitors add <name> words <word>.')
  const { rule, documents } = parseRule(args)
  const crawlIds = config.crawl === null ? [] : [await client.findCrawlId(config.crawl)]
  // Files are read first, so that a wrong name leaves no monitor without documents.
  const requests = await Promise.all(documents.map(readDocument))
  const monitor = await createMonitor(client, { name, rule, crawl_ids: crawlIds }, requests)
  if (config.json) io.stdout.write(jsonLine({ ...monitor, documents: requests.length }))
  else {
    const next = formatCommand(io.program, `monitors hits ${monitor.monitor_id}`, config)
    const scanned = formatCommand(io.program, `monitors scan ${monitor.monitor_id}`, config)
    io.stdout.write(
      `${monitor.monitor_id}\nPages are examined from now on, when they are indexed. See its hits with: ${next}\nExamine pages archived before with: ${scanned}\n`,
    )
  }
  return 0
}

async function protect(client: MonitorClient, [id, ...names]: string[], { io }: Context): Promise<number> {
  if (names.length === 0) throw new AppError('USAGE', 'Name documents: monitors protect <monitor> <file or URL>...')
  await addDocuments(client, await findMonitorId(client, id), await Promise.all(names.map(readDocument)))
  return say(io, names.length === 1 ? 'Added 1 document.' : `Added ${names.length} documents.`)
}

async function readDocument(name: string): Promise<DocumentRequest> {
  if (/^https?:\/\//i.test(name)) return { url: name }
  let text: string
  try {
    text = await readFile(name, 'utf8')
  } catch (cause) {
    throw fileError('read', name, cause)
  }
  const title = basename(name)
  return /\.x?html?$/i.test(name) ? { title, html: text } : { title, text }
}

/** Goes on after a version, so that a scan that was interrupted can be resumed. */
async function scan(client: MonitorClient, [id, from]: string[], { config, io }: Context): Promise<number> {
  const monitorId = await findMonitorId(client, id)
  const after = from === undefined ? 0 : Number(from)
  if (!Number.isSafeInteger(after) || after < 0) throw new AppError('USAGE', 'Give the number of a version, such as 0.')
  const total = { examined: 0, unread: 0, new_hits: 0 }
  for await (const { examined, unread, new_hits, next, newest } of scanArchive(client, monitorId, after)) {
    total.examined += examined
    total.unread += unread
    total.new_hits += new_hits
    if (next !== null && !config.json) io.stderr.write(`Examined up to version ${next} of ${newest}.\n`)
  }
  if (config.json) io.stdout.write(jsonLine(total))
  else {
    const unread = total.unread === 0 ? '' : ` ${groupDigits(total.unread)} could not be read.`
    const counts = `${pluralize(total.examined, 'page version')} examined, ${pluralize(total.new_hits, 'new hit')}.`
    return say(io, `${counts}${unread}`)
  }
  return 0
}

async function hits(client: MonitorClient, [id]: string[], { config, io }: Context): Promise<number> {
  const crawlId = config.crawl === null ? undefined : await client.findCrawlId(config.crawl)
  const query = {
    limit: config.limit,
    ...(id === undefined ? {} : { monitor_id: await findMonitorId(client, id) }),
    ...(crawlId === undefined ? {} : { crawl_id: crawlId }),
  }
  const { items } = await client.listHits({ query })
  if (config.json) for (const hit of items) io.stdout.write(jsonLine(hit))
  else if (items.length === 0) {
    // Without a server, nothing else examines pages.
    const next = formatCommand(io.program, 'index run', config)
    return say(
      io,
      `There are no hits.${config.server === null ? ` A server examines pages; without one, run: ${next}` : ''}`,
    )
  } else io.stdout.write(`${tableLines(HIT_COLUMNS, items, outputWidth(io.stdout)).join('\n')}\n`)
  return 0
}

async function mute(
  client: MonitorClient,
  [id, url]: string[],
  { io, isMuted }: Context & { isMuted: boolean },
): Promise<number> {
  const params = { monitor_id: await findMonitorId(client, id) }
  if (url === undefined) await client.changeMonitor({ params, body: { muted: isMuted } })
  else await client.muteMonitorUrl({ params, body: { url, muted: isMuted } })
  return say(io, isMuted ? 'Muted.' : 'Unmuted.')
}

function say(io: Io, text: string): number {
  io.stdout.write(`${text}\n`)
  return 0
}

const formatTime = (time: string | null) => time?.slice(0, 16).replace('T', ' ') ?? 'never'

const DELETED = 'deleted'

const MONITOR_COLUMNS: TableColumn<Monitor>[] = [
  { title: 'id', align: 'left', value: (monitor) => monitor.monitor_id },
  { title: 'name', align: 'left', value: (monitor) => monitor.name, isFlexible: true },
  { title: 'watches', align: 'left', value: (monitor) => describeRule(monitor), isFlexible: true },
  { title: 'hits', align: 'right', value: (monitor) => groupDigits(monitor.hits) },
  { title: 'open', align: 'right', value: (monitor) => groupDigits(monitor.open_hits) },
  { title: DELETED, align: 'right', value: (monitor) => groupDigits(monitor.deleted_hits) },
  { title: 'last hit (UTC)', align: 'left', value: (monitor) => formatTime(monitor.last_hit_at), dropAs: 1 },
]

/** Deleted hits, if there are any. */
function columnsFor(monitors: Monitor[]): TableColumn<Monitor>[] {
  const hasDeleted = monitors.some(({ deleted_hits }) => deleted_hits > 0)
  return hasDeleted ? MONITOR_COLUMNS : MONITOR_COLUMNS.filter(({ title }) => title !== DELETED)
}

function describeState({ acknowledged_at: at, muted }: Hit): string {
  if (at !== null) return 'acknowledged'
  return muted ? 'muted' : 'open'
}

const HIT_COLUMNS: TableColumn<Hit>[] = [
  { title: 'hit', align: 'right', value: (hit) => String(hit.hit_id) },
  { title: 'time (UTC)', align: 'left', value: (hit) => formatTime(hit.at), dropAs: 2 },
  { title: 'monitor', align: 'left', value: (hit) => hit.monitor_name, dropAs: 1 },
  { title: 'URL', align: 'left', value: (hit) => hit.url, isFlexible: 'url' },
  { title: 'found', align: 'left', value: (hit) => hit.summary, isFlexible: true },
  { title: 'state', align: 'left', value: describeState },
]

function describeRule({ rule, documents, muted }: Monitor): string {
  const suffix = muted ? ' (muted)' : ''
  switch (rule.kind) {
    case 'words':
      return `words ${rule.words.join(', ')}${suffix}`
    case 'pattern':
      return `pattern ${rule.pattern}${suffix}`
    case 'selector': {
      const { condition } = rule
      const value =
        condition.kind === 'contains' ? ` ${condition.text}` : 'limit' in condition ? ` ${condition.limit}` : ''
      return `${rule.selector} ${condition.kind}${value}${suffix}`
    }
    case 'copies':
      return `copies of ${documents === 1 ? '1 document' : `${documents} documents`}${suffix}`
  }
}
