// Changing a crawl after it was made. Every process notices by the version of the crawl, when it next looks.

import type { Crawl } from '../../ports/crawls.ts'
import type { SettingChanges, Steering } from '../../ports/steering.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { BLOCKED_HOST, QUEUED, stateCode, TOO_DEEP } from '../rows/codes.ts'
import { parseSettings } from '../rows/settings.ts'
import { changeSettings, hostName, isDeeper, refuseClosed } from '../rows/steering.ts'
import { overtaken } from './connect.ts'
import { addToCounters } from './counters.ts'
import { type CrawlRow, type CrawlRows, crawlNotFound } from './crawl-rows.ts'
import { type DetourParts, passOn } from './detours.ts'
import { excludeBlocked } from './exclude-blocked.ts'
import { type Queryable, type Row, unhurried } from './query.ts'
import { mergeWanted, openQueues } from './queues.ts'
import { markRemoved, removeSome } from './remove-crawl.ts'
import { lockSettings } from './settings-lock.ts'
import { endIfDone, standingOf } from './standing.ts'
import { notify, type Wake } from './wake.ts'

export interface SteeringParts extends DetourParts {
  reader: CrawlReader
  rows: CrawlRows
  wake: Wake
  /** In whose row of the counters urls are counted. */
  worker: string
}

const EXCLUDED = stateCode('excluded')

const READ = { name: 'steering_read', text: 'select status, closing, settings from crawls where id = $1' }
const SAVE = {
  name: 'steering_save',
  text: 'update crawls set settings = $2, version = version + 1 where id = $1 returning version, status, closing',
}

const REQUEUE = `update urls set state = ${QUEUED}, reason = null, due_at = 0 where crawl = $1 and state = ${EXCLUDED}`
const LET_IN = {
  text: `${REQUEUE} and reason = '${TOO_DEEP}' and depth <= coalesce($2::int, depth) returning host, rank`,
}
const RELEASE = { text: `${REQUEUE} and reason = '${BLOCKED_HOST}' and host = $2 returning host, rank` }

/** Everything that lies beyond the limit is looked at again; what is still too far stays there. */
const LOOK_BEYOND = {
  text: `insert into detours (crawl, host, url_id)
    select crawl, host, url_id from beyond where crawl = $1 order by host, url_id
    on conflict (crawl, host, url_id) do update set targets = null`,
}

/** Hosts that had no slot left may have one now: they are looked at again. */
const LOOK_AGAIN = {
  text: `with waiting as (select crawl, host from queues where crawl = $1 and by_host order by host for no key update)
    update queues q set due_at = least(q.due_at, $2), by_host = false
    from waiting w where q.crawl = w.crawl and q.host = w.host`,
}

const BLOCK = `insert into blocked_hosts (crawl, host) values ($1, $2) on conflict do nothing`
const UNBLOCK = 'delete from blocked_hosts where crawl = $1 and host = $2'
const COUNT_CHANGE = 'update crawls set version = version + 1 where id = $1'
const REOPEN = `update crawls set status = 'paused', finished_at = null
  where id = $1 and status not in ('running', 'paused')`

export class PostgresSteering implements Steering {
  readonly #parts: SteeringParts

  constructor(parts: SteeringParts) {
    this.#parts = parts
  }

  async change(crawlId: string, changes: SettingChanges): Promise<Crawl> {
    const { db, reader, worker, wake } = this.#parts
    const crawl = await this.#find(crawlId)
    await db.persist(() => db.transaction((tx) => this.#change(tx, crawl, changes)))
    await passOn(this.#parts, await this.#find(crawlId), worker)
    wake.wake()
    return reader.find(crawlId)
  }

  async remove(crawlId: string): Promise<void> {
    await markRemoved(this.#parts, await this.#find(crawlId))
  }

  removeSome(): Promise<boolean> {
    return removeSome(this.#parts)
  }

  async blockHost(crawlId: string, host: string): Promise<number> {
    const { db, worker, wake } = this.#parts
    const crawl = await this.#find(crawlId)
    const hostId = await this.#hostId(host)
    await db.persist(() =>
      db.transaction(async (tx) => {
        await tx.query({ text: BLOCK, values: [crawl.id, hostId] })
        await tx.query({ text: COUNT_CHANGE, values: [crawl.id] })
        await notify(tx, crawl.id)
      }),
    )
    const changed = await this.#find(crawlId)
    let excluded = 0
    for (let some = -1; some !== 0; ) {
      some = await excludeBlocked(this.#parts, changed, worker)
      excluded += some
    }
    wake.wake()
    return excluded
  }

  async releaseHost(crawlId: string, host: string): Promise<number> {
    const { db, wake } = this.#parts
    const crawl = await this.#find(crawlId)
    const hostId = await this.#hostId(host)
    const queued = await db.persist(() =>
      db.transaction(async (tx) => {
        // Waits for commits that leave the host alone; those after it see that it is released.
        await lockSettings(tx, crawl.id)
        refuseClosed((await standingOf(tx, crawl.id)).closing)
        await tx.query({ text: UNBLOCK, values: [crawl.id, hostId] })
        const { rows } = await unhurried(tx, { ...RELEASE, values: [crawl.id, hostId] })
        await this.#queueAgain(tx, crawl, rows)
        await tx.query({ text: COUNT_CHANGE, values: [crawl.id] })
        if (rows.length > 0) await tx.query({ text: REOPEN, values: [crawl.id] })
        await notify(tx, crawl.id)
        return rows.length
      }),
    )
    wake.wake()
    return queued
  }

  /** Rows are locked in the order of commits, but for the lock on the settings, which must come before the look. */
  async #change(tx: Queryable, { id, uuid }: CrawlRow, changes: SettingChanges): Promise<void> {
    const { time } = this.#parts
    await lockSettings(tx, id)
    const [row] = (await tx.query({ ...READ, values: [id] })).rows
    if (row === undefined) throw crawlNotFound(uuid)
    const before = parseSettings(row['settings'])
    const settings = changeSettings(before, changes)
    const isOpen = isOpenCrawl(row)
    if (isOpen && isDeeper(before.maxDepth, settings.maxDepth)) {
      const { rows } = await unhurried(tx, { ...LET_IN, values: [id, settings.maxDepth] })
      await unhurried(tx, { ...LOOK_BEYOND, values: [id] })
      await this.#queueAgain(tx, { id }, rows)
    }
    const now = await time.now(tx)
    if (settings.perHost > before.perHost) await tx.query({ ...LOOK_AGAIN, values: [id, now] })
    const [saved] = (await tx.query({ ...SAVE, values: [id, JSON.stringify(settings)] })).rows
    if (saved === undefined) throw crawlNotFound(uuid)
    // Its last url ended meanwhile, or it was cancelled: then it wants no more urls, and none of this may be.
    if (isOpenCrawl(saved) !== isOpen) throw overtaken()
    await endIfDone(tx, { id, uuid, settings, version: Number(saved['version']) }, now)
    await notify(tx, id)
  }

  async #queueAgain(tx: Queryable, { id }: Pick<CrawlRow, 'id'>, rows: Row[]): Promise<void> {
    if (rows.length === 0) return
    const { time, worker } = this.#parts
    const now = await time.now(tx)
    const wanted = rows.map((row) => ({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now }))
    await openQueues(tx, id, { wanted: mergeWanted(wanted), freed: [] }, now)
    await addToCounters(tx, { crawl: id, worker }, { open: rows.length, excluded: -rows.length })
  }

  #find(crawlId: string): Promise<CrawlRow> {
    const { db, rows } = this.#parts
    return db.persist(() => rows.reload(crawlId))
  }

  async #hostId(host: string): Promise<number> {
    const { db, hostIds } = this.#parts
    const name = hostName(host)
    const ids = await db.persist(() => hostIds.of([name]))
    return Number(ids.get(name))
  }
}

function isOpenCrawl({ status, closing }: Row): boolean {
  return (status === 'running' || status === 'paused') && closing === null
}
