// A crawl that shall end before its queue is empty: once nothing is in flight, what is queued becomes excluded, a piece
// at a time, so that nothing else waits long.

import { stateCode } from '../rows/codes.ts'
import { addToCounters } from './counters.ts'
import type { CrawlRow } from './crawl-rows.ts'
import { type DetourParts, passOn } from './detours.ts'
import type { Queryable } from './query.ts'
import { endIfDone, type Standing, standingOf } from './standing.ts'
import { takeBackExpired } from './take-back.ts'
import { notify } from './wake.ts'

const CLOSE_CHUNK = 20_000

const EXCLUDE = {
  name: 'close_exclude',
  text: `with locked as (
      select crawl, id, host from urls where crawl = $1 and state = 2 limit ${CLOSE_CHUNK} for update skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = $2 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

export async function closeSome(
  tx: Queryable,
  crawl: CrawlRow,
  { worker, reason, now }: { worker: string; reason: string; now: number },
): Promise<Standing> {
  const { rowCount } = await tx.query({ ...EXCLUDE, values: [crawl.id, reason] })
  const excluded = rowCount ?? 0
  await addToCounters(tx, { crawl: crawl.id, worker }, { open: -excluded, excluded })
  const standing = await endIfDone(tx, crawl, now)
  if (standing.status !== 'running') await notify(tx, crawl.id)
  return standing
}

/** As far as it can be ended without waiting for anybody; the rest is for those who have urls of it, or ask for some. */
export async function closeAtOnce(parts: DetourParts, crawl: CrawlRow, worker: string): Promise<void> {
  const { db, time } = parts
  await db.persist(async () => takeBackExpired(db, { worker, now: await time.now(db.pool) }))
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { status, closing, open, inProgress, hasDetours } = await db.persist(() => standingOf(db.pool, crawl.id))
    if (status !== 'running' || closing === null || inProgress > 0 || open >= before) return
    before = open
    if (hasDetours) await passOn(parts, crawl, worker)
    await db.persist(() =>
      db.transaction(async (tx) => closeSome(tx, crawl, { worker, reason: closing, now: await time.now(tx) })),
    )
  }
}
