// Who may call the API, and which requests it has seen before.

import type { Access, KnownRequests, Tokens } from '../../ports/access.ts'
import { toKnown, toToken } from '../rows/access-rows.ts'
import { outsideIn } from './outside.ts'
import { plainText, type Row, type Statement } from './query.ts'
import type { Time } from './time.ts'
import { type WebhookParts, webhooksIn } from './webhooks.ts'

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
 * A claim is a row without an answer. $3 and $6 are a time and now by the clock of this process, $5 that of the store, $4
 * how old a claim may be.
 */
const CLAIM = {
  name: 'known_claim',
  text: `insert into known_requests as known (key, fingerprint, answer, at)
    values ($1, $2, '', $3::bigint + (now_ms($5) - $6::bigint))
    on conflict (key) do update set fingerprint = excluded.fingerprint, at = excluded.at
    where known.answer = '' and known.at <= excluded.at - $4::bigint
    returning key`,
}
/** $4 and $6 are a time and now by the clock of this process, $5 that of the store. */
const SAVE = {
  name: 'known_save',
  text: `insert into known_requests as known (key, fingerprint, answer, at)
    values ($1, $2, $3, $4::bigint + (now_ms($5) - $6::bigint))
    on conflict (key) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, at = excluded.at
    where known.answer = ''`,
}
const RELEASE = { name: 'known_release', text: `delete from known_requests where key = $1 and answer = ''` }
const FORGET = {
  name: 'known_forget',
  text: 'delete from known_requests where at < $1::bigint + (now_ms($2) - $3::bigint)',
}

type Run = (statement: Statement) => Promise<Row[]>

export function accessIn(parts: WebhookParts): Access {
  const { db, time } = parts
  const run: Run = async (statement) => (await db.persist(() => db.pool.query(statement))).rows
  return {
    tokens: tokensIn(run),
    webhooks: webhooksIn(parts),
    known: knownRequestsIn(run, time),
    outside: outsideIn(run, time),
  }
}

function tokensIn(run: Run): Tokens {
  return {
    list: async () => (await run(LIST)).map(toToken),
    async add({ id, name, scope, hash, createdAt, expiresAt }) {
      await run({ text: ADD, values: [id, plainText(name), scope, hash, createdAt, expiresAt] })
    },
    remove: async (id) => (await run({ text: REMOVE, values: [id] })).length === 1,
    async used(id, at) {
      await run({ ...USE, values: [id, at] })
    },
  }
}

function knownRequestsIn(run: Run, time: Time): KnownRequests {
  const now = () => [time.given, time.worker()]
  const look = async (key: string, fingerprint = '') =>
    toKnown((await run({ ...FIND, values: [plainText(key)] }))[0], fingerprint)
  return {
    async find(key) {
      const known = await look(key)
      return known.kind === 'answered' ? { fingerprint: known.fingerprint, answer: known.answer } : null
    },
    async claim(key, { fingerprint, at, holdMs }) {
      const taken = await run({ ...CLAIM, values: [plainText(key), fingerprint, at, holdMs, ...now()] })
      return taken.length === 1 ? { kind: 'yours' } : look(key, fingerprint)
    },
    async save(key, { fingerprint, answer, at }) {
      await run({ ...SAVE, values: [plainText(key), fingerprint, plainText(answer), at, ...now()] })
    },
    async release(key) {
      await run({ ...RELEASE, values: [plainText(key)] })
    },
    async forget(olderThan) {
      await run({ ...FORGET, values: [olderThan, ...now()] })
    },
  }
}
