// Stored copies of robots.txt files. Times are converted relative to now (store-clock.ts), so that a worker with a
// wrong clock does not change how long a copy is valid for the others.

import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import { type Queryable, toPostgresTextOrNull } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { toRobotsCopy } from './robots-copy.ts'

/** $2 is the virtual time, if any; $3 is the worker's time. */
const FIND = {
  name: 'robots_find',
  text: `select r.origin, r.status, r.problem, r.body, r.asked_at + n.ahead as asked_at,
      r.expires_at + n.ahead as expires_at, r.good_at + n.ahead as good_at
    from robots r cross join (select $3::bigint - now_ms($2) as ahead) n where r.origin = $1`,
}

const SAVE = {
  name: 'robots_save',
  text: `insert into robots (origin, asked_at, expires_at, good_at, status, problem, body)
    select $1, $4::bigint - n.ahead, $5::bigint - n.ahead, $6::bigint - n.ahead, $7::int, $8, $9::bytea
    from (select $3::bigint - now_ms($2) as ahead) n
    on conflict (origin) do update set asked_at = excluded.asked_at, expires_at = excluded.expires_at,
      good_at = excluded.good_at, status = excluded.status, problem = excluded.problem, body = excluded.body`,
}

export class PostgresRobots implements RobotsCopies {
  readonly #db: Queryable
  readonly #time: StoreClock

  constructor(db: Queryable, storeClock: StoreClock) {
    this.#db = db
    this.#time = storeClock
  }

  async find(origin: string): Promise<RobotsCopy | null> {
    const values = [origin, this.#time.virtualNow, this.#time.workerNow()]
    const [row] = (await this.#db.query({ ...FIND, values })).rows
    return row === undefined ? null : toRobotsCopy(row)
  }

  async save({ origin, askedAt, expiresAt, goodAt, status, problem, body }: RobotsCopy): Promise<void> {
    const bytes = body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const clocks = [this.#time.virtualNow, this.#time.workerNow()]
    const values = [origin, ...clocks, askedAt, expiresAt, goodAt, status, toPostgresTextOrNull(problem), bytes]
    await this.#db.query({ ...SAVE, values })
  }
}
