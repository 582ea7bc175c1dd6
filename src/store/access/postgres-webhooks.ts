// Webhooks and their deliveries, which any of several processes may make. The clock of the database decides when a
// delivery is due (store-clock.ts).

import type { Delivery, Webhooks } from '../../ports/access.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, toPostgresText, toPostgresTextOrNull } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { DELIVERY_RETENTION_MS, toDelivery, toWebhook } from './access-rows.ts'

export interface WebhooksDependencies {
  db: Database
  time: StoreClock
}

const LIST = { name: 'webhooks_list', text: 'select * from webhooks order by created_at, id' }
const ADD = `insert into webhooks (id, url, events, secret, created_at, allows_private, changes_cursor)
  select $1, $2, $3, $4, $5, $6, last from change_cursor on conflict (id) do nothing`
const ADVANCE = {
  name: 'webhooks_advance',
  text: 'update webhooks set changes_cursor = $3 where id = $1 and changes_cursor = $2',
}
const REMOVE = 'delete from webhooks where id = $1 returning id'
const DELETE_DELIVERIES = 'delete from deliveries where webhook = $1'

/** Locks the webhook: its removal waits for this, or this finds it gone. */
const ENQUEUE = {
  name: 'deliveries_queue',
  text: `with asked as materialized (
      select d.* from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[])
        as d (id, webhook, event, body, attempts, due_at)
    ), there as materialized (
      select w.id from webhooks w where w.id in (select webhook from asked) order by w.id for key share
    )
    insert into deliveries (id, webhook, event, body, attempts, due_at)
    select a.* from asked a join there t on t.id = a.webhook order by a.id on conflict (id) do nothing`,
}
const DELETE_OLD = { name: 'deliveries_forget', text: 'delete from deliveries where over_at < $1' }
const CLAIM = {
  name: 'deliveries_take',
  text: `with due as materialized (
      select id, attempts, due_at from deliveries where due_at <= $1 order by due_at limit $3 for update skip locked
    )
    update deliveries d set due_at = $2, attempts = d.attempts + 1 from due where d.id = due.id
    returning d.id, d.webhook, d.event, d.body, due.attempts, due.due_at`,
}
const SETTLE = {
  name: 'deliveries_settle',
  text: 'update deliveries set due_at = $2 where id = $1 and due_at is not null returning webhook',
}
const END = {
  name: 'deliveries_end',
  text: `update deliveries set due_at = null, over_at = $2, body = '' where id = $1 returning webhook`,
}
const NOTE = {
  name: 'webhooks_note',
  text: 'update webhooks set delivered_at = $2, delivered_status = $3, delivered_problem = $4 where id = $1',
}

export function makeWebhooks({ db, time }: WebhooksDependencies): Webhooks {
  const inOne = <T>(work: (tx: Queryable) => Promise<T>) => db.withRetries(() => db.transaction(work))
  /** How far the clock of the store is ahead of this process. */
  const aheadMs = async (tx: Queryable) => (await time.now(tx)) - time.workerNow()
  const enqueueAll = async (tx: Queryable, deliveries: Delivery[]): Promise<void> => {
    const ahead = await aheadMs(tx)
    const column = <T>(of: (delivery: Delivery) => T) => deliveries.map(of)
    const values = [
      column(({ id }) => id),
      column(({ webhookId }) => webhookId),
      column(({ event }) => event),
      column(({ body }) => toPostgresText(body)),
      column(({ attempts }) => attempts),
      column(({ dueAt }) => dueAt + ahead),
    ]
    await tx.query({ ...ENQUEUE, values })
  }
  return {
    async list() {
      return (await db.withRetries(() => db.pool.query(LIST))).rows.map(toWebhook)
    },
    async add({ id, url, events, secret, createdAt, allowsPrivate }) {
      const values = [id, toPostgresText(url), toPostgresText(JSON.stringify(events)), secret, createdAt, allowsPrivate]
      await db.withRetries(() => db.pool.query({ text: ADD, values }))
    },
    remove(id) {
      return inOne(async (tx) => {
        const { rows } = await tx.query({ text: REMOVE, values: [id] })
        await tx.query({ text: DELETE_DELIVERIES, values: [id] })
        return rows.length === 1
      })
    },
    enqueue: (deliveries) => inOne((tx) => enqueueAll(tx, deliveries)),
    enqueueChanges(webhookId, { from, to }, deliveries) {
      return inOne(async (tx) => {
        const { rowCount } = await tx.query({ ...ADVANCE, values: [webhookId, from, to] })
        if (rowCount === 1 && deliveries.length > 0) await enqueueAll(tx, deliveries)
      })
    },
    claimDue(now, claimMs, limit) {
      return inOne(async (tx) => {
        const ahead = await aheadMs(tx)
        await tx.query({ ...DELETE_OLD, values: [now + ahead - DELIVERY_RETENTION_MS] })
        const { rows } = await tx.query({ ...CLAIM, values: [now + ahead, now + ahead + claimMs, limit] })
        const deliveries = rows.map(toDelivery).sort((a, b) => a.dueAt - b.dueAt)
        return deliveries.map((delivery) => ({ ...delivery, dueAt: delivery.dueAt - ahead }))
      })
    },
    recordDelivery(id, { at, status, problem }, next) {
      return inOne(async (tx) => {
        const ahead = await aheadMs(tx)
        const settled = next === null ? { ...END, values: [id, at + ahead] } : { ...SETTLE, values: [id, next + ahead] }
        const [row] = (await tx.query(settled)).rows
        if (row !== undefined)
          await tx.query({ ...NOTE, values: [row['webhook'], at, status, toPostgresTextOrNull(problem)] })
      })
    },
  }
}
