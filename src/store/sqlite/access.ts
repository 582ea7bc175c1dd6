// Who may call the API, and which requests it has seen before.

import type { DatabaseSync } from 'node:sqlite'
import type { Access, KnownRequests, Tokens } from '../../ports/access.ts'
import { toKnown, toToken } from '../rows/access-rows.ts'
import { outsideIn } from './outside.ts'
import type { Transactions } from './transaction.ts'
import { webhooksIn } from './webhooks.ts'

export function accessIn(db: DatabaseSync, transactions: Transactions): Access {
  return {
    tokens: tokensIn(db, transactions),
    webhooks: webhooksIn(db, transactions),
    outside: outsideIn(db, transactions),
    known: knownRequestsIn(db, transactions),
  }
}

function tokensIn(db: DatabaseSync, transactions: Transactions): Tokens {
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
    async used(id, at) {
      transactions.run(() => use.run(at, id))
    },
  }
}

function knownRequestsIn(db: DatabaseSync, transactions: Transactions): KnownRequests {
  const find = db.prepare('select fingerprint, answer from known_requests where key = ?')
  // A claim is a row without an answer.
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
      const known = toKnown(find.get(key), '')
      return known.kind === 'answered' ? { fingerprint: known.fingerprint, answer: known.answer } : null
    },
    async claim(key, { fingerprint, at, holdMs }) {
      return transactions.run(() => {
        const isYours = claim.run(key, fingerprint, at, at - holdMs).changes === 1
        return isYours ? { kind: 'yours' } : toKnown(find.get(key), fingerprint)
      })
    },
    async save(key, { fingerprint, answer, at }) {
      transactions.run(() => save.run(key, fingerprint, answer, at))
    },
    async release(key) {
      transactions.run(() => release.run(key))
    },
    async forget(olderThan) {
      transactions.run(() => forget.run(olderThan))
    },
  }
}
