// API tokens and idempotency keys.

import type { Access, IdempotencyKeys, Tokens } from '../../ports/access.ts'
import { type Row, type Statement, toPostgresText } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { toIdempotencyState, toToken } from './access-rows.ts'
import { makeExternalCrawlers } from './postgres-external.ts'
import { makeWebhooks, type WebhooksDependencies } from './postgres-webhooks.ts'

const LIST = { name: 'tokens_list', text: 'select * from tokens order by created_at, id' }
const ADD = `insert into tokens (id, name, scope, hash, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do nothing`
const REMOVE = 'delete from tokens where id = $1 returning id'
const USE = {
  name: 'tokens_use',
  text: 'update tokens set last_used_at = greatest(last_used_at, $2) where id = $1',
}

const FIND = { name: 'known_find', text: 'select fingerprint, answer from known_requests where key = $1' }
/**
 * A claim is a row without a response. $3 and $6 are a time and now by the clock of this process, $5 is now by the
 * clock of the store, $4 is the longest age of a claim.
 */
const CLAIM = {
  name: 'known_claim',
  text: `insert into known_requests as known (key, fingerprint, answer, at)
    values ($1, $2, '', $3::bigint + (now_ms($5) - $6::bigint))
    on conflict (key) do update set fingerprint = excluded.fingerprint, at = excluded.at
    where known.answer = '' and known.at <= excluded.at - $4::bigint
    returning key`,
}
/** $4 and $6 are a time and now by the clock of this process, $5 is now by the clock of the store. */
const SAVE = {
  name: 'known_save',
  text: `insert into known_requests as known (key, fingerprint, answer, at)
    values ($1, $2, $3, $4::bigint + (now_ms($5) - $6::bigint))
    on conflict (key) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, at = excluded.at
    where known.answer = ''`,
}
const RELEASE = { name: 'known_release', text: `delete from known_requests where key = $1 and answer = ''` }
const DELETE_OLD = {
  name: 'known_forget',
  text: 'delete from known_requests where at < $1::bigint + (now_ms($2) - $3::bigint)',
}

type Run = (statement: Statement) => Promise<Row[]>

export function makeAccess(dependencies: WebhooksDependencies): Access {
  const { db, time } = dependencies
  const run: Run = async (statement) => (await db.withRetries(() => db.pool.query(statement))).rows
  return {
    tokens: makeTokens(run),
    webhooks: makeWebhooks(dependencies),
    idempotencyKeys: makeIdempotencyKeys(run, time),
    external: makeExternalCrawlers(run, time),
  }
}

function makeTokens(run: Run): Tokens {
  return {
    list: async () => (await run(LIST)).map(toToken),
    async add({ id, name, scope, hash, createdAt, expiresAt }) {
      await run({ text: ADD, values: [id, toPostgresText(name), scope, hash, createdAt, expiresAt] })
    },
    remove: async (id) => (await run({ text: REMOVE, values: [id] })).length === 1,
    async recordUse(id, at) {
      await run({ ...USE, values: [id, at] })
    },
  }
}

function makeIdempotencyKeys(run: Run, storeClock: StoreClock): IdempotencyKeys {
  const now = () => [storeClock.virtualNow, storeClock.workerNow()]
  const readState = async (key: string, fingerprint = '') =>
    toIdempotencyState((await run({ ...FIND, values: [toPostgresText(key)] }))[0], fingerprint)
  return {
    async find(key) {
      const known = await readState(key)
      return known.kind === 'answered' ? { fingerprint: known.fingerprint, answer: known.answer } : null
    },
    async claim(key, { fingerprint, at, claimMs }) {
      const claimed = await run({ ...CLAIM, values: [toPostgresText(key), fingerprint, at, claimMs, ...now()] })
      return claimed.length === 1 ? { kind: 'yours' } : readState(key, fingerprint)
    },
    async save(key, { fingerprint, answer, at }) {
      await run({ ...SAVE, values: [toPostgresText(key), fingerprint, toPostgresText(answer), at, ...now()] })
    },
    async release(key) {
      await run({ ...RELEASE, values: [toPostgresText(key)] })
    },
    async deleteOlderThan(olderThan) {
      await run({ ...DELETE_OLD, values: [olderThan, ...now()] })
    },
  }
}
