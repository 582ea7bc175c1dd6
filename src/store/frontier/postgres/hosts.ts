// Hosts: ids by name, pace and health.

import { hostSlotParameters, IS_EXCLUSIVE_SQL } from '../../../frontier/host-slots.ts'
import { reservedUntilSql } from '../../../frontier/host-turns.ts'
import type { HostTiming } from '../../../frontier/next-request.ts'
import type { HostReport } from '../../../ports/frontier.ts'
import type { HostHealth } from '../../../ports/leases.ts'
import { runPipelined } from '../../postgres/database.ts'
import type { IdBlocks } from '../../postgres/id-blocks.ts'
import type { Queryable, Row } from '../../postgres/query.ts'
import { type ClockPair, toStoreTime, toWorkerTime } from '../../postgres/store-clock.ts'
import { waitingCrawls } from './claim/host-turns.ts'
import type { CachedCrawl } from './crawl-state/crawl-cache.ts'

const MAX_REMEMBERED = 200_000

const FIND = { name: 'hosts_find', text: 'select id, name from hosts where name = any($1::text[])' }
const ADD = {
  name: 'hosts_add',
  text: `insert into hosts (id, name) select * from unnest($1::int[], $2::text[]) as h (id, name) order by name
    on conflict (name) do nothing`,
}

/** Hosts are never deleted, so a known id stays valid. */
export class HostIds {
  readonly #db: Queryable
  readonly #blocks: IdBlocks
  readonly #known = new Map<string, number>()

  constructor(db: Queryable, idBlocks: IdBlocks) {
    this.#db = db
    this.#blocks = idBlocks
  }

  /** Adds new hosts outside of any transaction: a host without URLs does no harm. */
  async findOrAdd(names: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const wanted = new Set(names)
    const ids = new Map<string, number>()
    for (const name of wanted) {
      const id = this.#known.get(name)
      if (id !== undefined) ids.set(name, id)
    }
    const find = async () => {
      const missing = [...wanted].filter((name) => !ids.has(name))
      if (missing.length === 0) return missing
      const { rows } = await this.#db.query({ ...FIND, values: [missing] })
      for (const row of rows) this.#remember(ids, String(row['name']), Number(row['id']))
      return missing.filter((name) => !ids.has(name))
    }
    const unknown = await find()
    if (unknown.length > 0) {
      const numbers = await this.#blocks.reserve('host', unknown.length)
      await this.#db.query({ ...ADD, values: [unknown.map(() => numbers.next()), unknown] })
      await find()
    }
    return ids
  }

  #remember(ids: Map<string, number>, name: string, id: number): void {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(name, id)
    ids.set(name, id)
  }
}

/** The columns that `toHostTiming` and `toHostHealth` read. */
export const HOST_COLUMNS = `h.next_at, h.response_ms, h.gap_ms, h.concurrency_limit, h.strikes, h.failures, h.failing_since,
      h.down_until, h.failure_share, h.refusing_since`

export function toHostTiming(host: Row): HostTiming {
  return {
    gapMs: Number(host['gap_ms']),
    responseMs: Number(host['response_ms']),
    concurrencyLimit: Number(host['concurrency_limit']),
  }
}

/** A response time is a mean, so a change by less than an eighth is not written. */
const HAS_CHANGED = `(r.next_at > h.next_at and (r.gap_ms > 0 or r.next_at > $1)
    or r.gap_ms <> h.gap_ms or r.strikes <> h.strikes or r.failures <> h.failures
    or r.failing_since <> h.failing_since or r.down_until <> h.down_until
    or coalesce(r.concurrency_limit, h.concurrency_limit) <> h.concurrency_limit or r.refusing_since <> h.refusing_since
    or abs(r.failure_share - h.failure_share) > 0.05 or (r.failure_share = 0) <> (h.failure_share = 0)
    or abs(r.response_ms - h.response_ms) * 8 > h.response_ms)`

const LOCK = {
  name: 'hosts_lock',
  text: 'select id from hosts where id = any($1::int[]) order by id for no key update',
}

const RECORD = {
  name: 'hosts_record',
  text: `update hosts h set
      next_at = greatest(h.next_at, r.next_at), response_ms = r.response_ms, gap_ms = r.gap_ms, strikes = r.strikes,
      failures = r.failures, failing_since = r.failing_since, down_until = r.down_until,
      failure_share = r.failure_share, refusing_since = r.refusing_since,
      concurrency_limit = coalesce(r.concurrency_limit, h.concurrency_limit)
    from unnest($2::int[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::bigint[], $9::bigint[],
        $10::float8[], $11::bigint[], $12::float8[])
      as r (id, next_at, response_ms, gap_ms, strikes, failures, failing_since, down_until, failure_share, refusing_since,
        concurrency_limit)
    where h.id = r.id and ${HAS_CHANGED}`,
}

const RESERVE = {
  name: 'hosts_reserve',
  text: `with released as (
      select f.host, (select w.crawl from (${waitingCrawls('$7::int', 'f.host')}) w order by w.wanted_at, w.crawl limit 1) as next
      from unnest($6::int[]) as f (host)
    )
    update hosts h set kept_for = $5, kept_crawl = f.next, kept_until = ${reservedUntilSql('$4::bigint')}
    from released f where h.id = f.host and (f.next is not null or ${IS_EXCLUSIVE_SQL})`,
}

/**
 * Writes host reports, one per host, and reserves released hosts. Only leases and counters are locked after these rows.
 */
export async function recordHosts(
  tx: Queryable,
  { reports, released, holder }: { reports: HostReport[]; released: number[]; holder: string },
  crawl: CachedCrawl,
  clockPair: ClockPair,
): Promise<void> {
  const ids = [...new Set([...reports.map(({ hostId }) => hostId), ...released])]
  if (ids.length === 0) return
  const statements: Promise<unknown>[] = [tx.query({ ...LOCK, values: [ids] })]
  if (reports.length > 0) {
    const lists = [
      reports.map(({ hostId }) => hostId),
      reports.map(({ nextAt }) => toStoreTime(nextAt, clockPair)),
      reports.map(({ responseMs }) => Math.round(responseMs)),
      reports.map(({ gapMs }) => Math.round(gapMs)),
      reports.map(({ health }) => health.strikes),
      reports.map(({ health }) => health.failures),
      reports.map(({ health }) => toStoreTime(health.failingSince, clockPair)),
      reports.map(({ health }) => toStoreTime(health.downUntil, clockPair)),
      reports.map(({ health }) => health.failureShare),
      reports.map(({ health }) => toStoreTime(health.refusingSince, clockPair)),
      reports.map(({ concurrencyLimit }) => concurrencyLimit),
    ]
    statements.push(tx.query({ ...RECORD, values: [clockPair.store, ...lists] }))
  }
  if (released.length > 0) {
    statements.push(
      tx.query({
        ...RESERVE,
        values: [...hostSlotParameters(crawl.settings), clockPair.store, holder, released, crawl.id],
      }),
    )
  }
  await runPipelined(...statements)
}

export function toHostHealth(host: Row, clockPair: ClockPair): HostHealth {
  return {
    strikes: Number(host['strikes']),
    failures: Number(host['failures']),
    failingSince: toWorkerTime(Number(host['failing_since']), clockPair),
    downUntil: toWorkerTime(Number(host['down_until']), clockPair),
    failureShare: Number(host['failure_share']),
    refusingSince: toWorkerTime(Number(host['refusing_since']), clockPair),
  }
}
