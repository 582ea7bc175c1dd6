// Who may call the API, and which requests it has seen before.

import type { Access, KnownRequests, Tokens } from '../../ports/access.ts'
import { toToken } from '../rows/access-rows.ts'
import { plainText, type Row, type Statement } from './query.ts'
import type { Time } from './time.ts'
import { type WebhookParts, webhooksIn } from './webhooks.ts'

const LIST = { name: 'tokens_list', text: 'select * from tokens order by created_at, id' }
const ADD = `insert into tokens (id, name, scope, hash, created_at) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`
const REMOVE = 'delete from tokens where id = $1 returning id'
const USE = {
  name: 'tokens_use',
  text: 'update tokens set last_used_at = greatest(last_used_at, $2) where id = $1',
}

const FIND = { name: 'known_find', text: 'select fingerprint, answer from known_requests where key = $1' }
/** $4 and $6 are a time and now by the clock of this process, $5 that of the store. */
const SAVE = {
  name: 'known_save',
  text: `insert into known_requests (key, fingerprint, answer, at)
    values ($1, $2, $3, $4::bigint + (now_ms($5) - $6::bigint)) on conflict (key) do nothing`,
}
const FORGET = {
  name: 'known_forget',
  text: 'delete from known_requests where at < $1::bigint + (now_ms($2) - $3::bigint)',
}

type Run = (statement: Statement) => Promise<Row[]>

export function accessIn(parts: WebhookParts): Access {
  const { db, time } = parts
  const run: Run = async (statement) => (await db.persist(() => db.pool.query(statement))).rows
  return { tokens: tokensIn(run), webhooks: webhooksIn(parts), known: knownRequestsIn(run, time) }
}

function tokensIn(run: Run): Tokens {
  return {
    list: async () => (await run(LIST)).map(toToken),
    async add({ id, name, scope, hash, createdAt }) {
      await run({ text: ADD, values: [id, plainText(name), scope, hash, createdAt] })
    },
    remove: async (id) => (await run({ text: REMOVE, values: [id] })).length === 1,
    async used(id, at) {
      await run({ ...USE, values: [id, at] })
    },
  }
}

function knownRequestsIn(run: Run, time: Time): KnownRequests {
  const now = () => [time.given, time.worker()]
  return {
    async find(key) {
      const [row] = await run({ ...FIND, values: [plainText(key)] })
      return row === undefined ? null : { fingerprint: String(row['fingerprint']), answer: String(row['answer']) }
    },
    async save(key, { fingerprint, answer, at }) {
      await run({ ...SAVE, values: [plainText(key), fingerprint, plainText(answer), at, ...now()] })
    },
    async forget(olderThan) {
      await run({ ...FORGET, values: [olderThan, ...now()] })
    },
  }
}
