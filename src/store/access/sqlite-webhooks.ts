// Webhooks and their deliveries.

import type { DatabaseSync } from 'node:sqlite'
import type { Delivery, Webhooks } from '../../ports/access.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { DELIVERY_RETENTION_MS, toDelivery, toWebhook } from './access-rows.ts'

export function makeWebhooks(db: DatabaseSync, transactions: Transactions): Webhooks {
  const list = db.prepare('select * from webhooks order by created_at, id')
  const insert = db.prepare(
    `insert into webhooks (id, url, events, secret, created_at, allows_private, changes_cursor)
     values (?, ?, ?, ?, ?, ?, (select last from change_cursor)) on conflict (id) do nothing`,
  )
  const remove = db.prepare('delete from webhooks where id = ?')
  const drop = db.prepare('delete from deliveries where webhook = ?')
  const queue = db.prepare(
    `insert into deliveries (id, webhook, event, body, attempts, due_at)
     select ?, id, ?, ?, ?, ? from webhooks where id = ? on conflict (id) do nothing`,
  )
  const advance = db.prepare('update webhooks set changes_cursor = ? where id = ? and changes_cursor = ?')
  const forget = db.prepare('delete from deliveries where over_at < ?')
  const due = db.prepare('select * from deliveries where due_at <= ? order by due_at limit ?')
  const hold = db.prepare('update deliveries set due_at = ?, attempts = attempts + 1 where id = ?')
  const settle = db.prepare('update deliveries set due_at = ? where id = ? and due_at is not null returning webhook')
  const end = db.prepare(`update deliveries set due_at = null, over_at = ?, body = '' where id = ? returning webhook`)
  const note = db.prepare(
    'update webhooks set delivered_at = ?, delivered_status = ?, delivered_problem = ? where id = ?',
  )
  const enqueueOne = ({ id, webhookId, event, body, attempts, dueAt }: Delivery) => {
    queue.run(id, event, body, attempts, dueAt, webhookId)
  }
  return {
    list: async () => list.all().map(toWebhook),
    async add({ id, url, events, secret, createdAt, allowsPrivate }) {
      transactions.run(() => insert.run(id, url, JSON.stringify(events), secret, createdAt, allowsPrivate ? 1 : 0))
    },
    async remove(id) {
      return transactions.run(() => {
        drop.run(id)
        return remove.run(id).changes === 1
      })
    },
    async enqueue(deliveries) {
      transactions.run(() => deliveries.forEach(enqueueOne))
    },
    async enqueueChanges(webhookId, { from, to }, deliveries) {
      transactions.run(() => {
        if (advance.run(to, webhookId, from).changes === 1) deliveries.forEach(enqueueOne)
      })
    },
    async claimDue(now, claimMs, limit) {
      return transactions.run(() => {
        forget.run(now - DELIVERY_RETENTION_MS)
        const deliveries = due.all(now, limit).map(toDelivery)
        for (const { id } of deliveries) hold.run(now + claimMs, id)
        return deliveries
      })
    },
    async recordDelivery(id, { at, status, problem }, next) {
      transactions.run(() => {
        const row = next === null ? end.get(at, id) : settle.get(next, id)
        if (row !== undefined) note.run(at, status, problem, String(row['webhook']))
      })
    },
  }
}
