// Writes documents in bulk. Each has an external version: a write with an earlier one than the engine has is refused, and
// the same write may be repeated.

import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../../lib/errors.ts'
import { isTransientStatus, type SearchClient } from '../client.ts'
import type { IndexedDocument } from '../document-source.ts'
import type { Place } from '../place.ts'

export interface BulkAction {
  id: string
  place: Place
  /** Null deletes the document. */
  document: IndexedDocument | null
}

interface BulkItem {
  _id: string
  status: number
  error?: { type: string; reason: string }
}

/** Large enough to be efficient, small enough for the memory of a small node. */
const MAX_BYTES = 4_000_000
/** A full queue or disk of the engine is met by waiting; then the batch is given up and handed out again later. */
const ATTEMPTS = 6
const FIRST_RETRY_MS = 250
/** A later version is there already. */
const CONFLICT = 409
const NOT_FOUND = 404
/** The engine waits for a shard for less time than we wait for the engine. */
const PATH = '/_bulk?timeout=15s'

/** Takes the actions one by one, so that only the actions of one request are in memory. */
export async function writeBulk(client: SearchClient, version: number, actions: Iterable<BulkAction>): Promise<void> {
  let chunk: BulkAction[] = []
  let lines = ''
  for (const action of actions) {
    const text = toLines(action, version)
    if (lines !== '' && lines.length + text.length > MAX_BYTES) {
      await send(client, version, chunk, lines)
      chunk = []
      lines = ''
    }
    chunk.push(action)
    lines += text
  }
  if (lines !== '') await send(client, version, chunk, lines)
}

function toLines({ id, place, document }: BulkAction, version: number): string {
  const target = { _index: place.index, _id: id, routing: place.routing, version, version_type: 'external_gte' }
  if (document === null) return `${JSON.stringify({ delete: target })}\n`
  return `${JSON.stringify({ index: target })}\n${JSON.stringify(document)}\n`
}

async function send(client: SearchClient, version: number, actions: BulkAction[], lines: string): Promise<void> {
  let [left, text] = [actions, lines]
  for (let attempt = 1; ; attempt++) {
    const response = await client.send<{ errors: boolean; items: Record<string, BulkItem>[] }>('POST', PATH, text)
    if (!response.errors) return
    const failed = left.flatMap((action, i) => {
      const item = Object.values(response.items[i] ?? {})[0]
      return item === undefined || isDone(action, item) ? [] : [{ action, item }]
    })
    const refused = failed.find(({ item }) => !isTransientStatus(item.status))
    if (refused !== undefined)
      throw new AppError('SEARCH_REFUSED', `The search engine refused a document: ${reasonOf(refused.item)}`)
    const [first] = failed
    if (first === undefined) return
    if (attempt === ATTEMPTS)
      throw new AppError(
        'SEARCH_AWAY',
        `The search engine cannot accept documents now. It rejected ${failed.length}: ${reasonOf(first.item)}`,
      )
    await sleep(FIRST_RETRY_MS * 2 ** (attempt - 1))
    left = failed.map(({ action }) => action)
    text = left.map((action) => toLines(action, version)).join('')
  }
}

/** A deletion that finds nothing is done: the document was deleted before. */
function isDone({ document }: BulkAction, { status }: BulkItem): boolean {
  return status < 300 || status === CONFLICT || (status === NOT_FOUND && document === null)
}

function reasonOf({ status, error }: BulkItem): string {
  return error?.reason ?? `status ${status}`
}
