// API tokens and idempotency keys.

import type { DatabaseSync } from 'node:sqlite'
import type { Access, IdempotencyKeys, Tokens } from '../../ports/access.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toIdempotencyState, toToken } from './access-rows.ts'
import { makeExternalCrawlers } from './sqlite-external.ts'
import { makeWebhooks } from './sqlite-webhooks.ts'

export function makeAccess(db: DatabaseSync, transactions: Transactions): Access {
  return {
    tokens: makeTokens(db, transactions),
    webhooks: makeWebhooks(db, transactions),
    external: makeExternalCrawlers(db, transactions),
    idempotencyKeys: makeIdempotencyKeys(db, transactions),
  }
}

function makeTokens(db: DatabaseSync, transactions: Transactions): Tokens {
  const list = db.prepare('select * from tokens order by created_at, id')
  const insert = db.prepare(
    `insert into tokens (id, name, scope, hash, created_at, expires_at) values (?, ?, ?, ?, ?, ?)
    on conflict (id) do nothing`,
  )
  const remove = db.prepare('delete from tokens where id = ?')
  const use = db.prepare('update tokens set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?')
  return {
    list: async () => list.all().map(toToken),
    async add({ id, name, scope, hash, createdAt, expiresAt }) {
      transactions.run(() => insert.run(id, name, scope, hash, createdAt, expiresAt))
    },
    remove: async (id) => transactions.run(() => remove.run(id)).changes === 1,
    async recordUse(id, at) {
      transactions.run(() => use.run(at, id))
    },
  }
}

function makeIdempotencyKeys(db: DatabaseSync, transactions: Transactions): IdempotencyKeys {
  const find = db.prepare('select fingerprint, answer from known_requests where key = ?')
  // A claim is a row without a response.
  const claim = db.prepare(
    `insert into known_requests (key, fingerprint, answer, at) values (?, ?, '', ?)
    on conflict (key) do update set fingerprint = excluded.fingerprint, at = excluded.at where answer = '' and at <= ?`,
  )
  const save = db.prepare(
    `insert into known_requests (key, fingerprint, answer, at) values (?, ?, ?, ?)
    on conflict (key) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, at = excluded.at
    where answer = ''`,
  )
  const release = db.prepare("delete from known_requests where key = ? and answer = ''")
  const forget = db.prepare('delete from known_requests where at < ?')
  return {
    async find(key) {
      const known = toIdempotencyState(find.get(key), '')
      return known.kind === 'answered' ? { fingerprint: known.fingerprint, answer: known.answer } : null
    },
    async claim(key, { fingerprint, at, claimMs }) {
      return transactions.run(() => {
        const isYours = claim.run(key, fingerprint, at, at - claimMs).changes === 1
        return isYours ? { kind: 'yours' } : toIdempotencyState(find.get(key), fingerprint)
      })
    },
    async save(key, { fingerprint, answer, at }) {
      transactions.run(() => save.run(key, fingerprint, answer, at))
    },
    async release(key) {
      transactions.run(() => release.run(key))
    },
    async deleteOlderThan(olderThan) {
      transactions.run(() => forget.run(olderThan))
    },
  }
}
