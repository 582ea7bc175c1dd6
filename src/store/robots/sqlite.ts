// Stored copies of robots.txt files.

import type { DatabaseSync } from 'node:sqlite'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toRobotsCopy } from './robots-copy.ts'

export function makeRobotsReader(db: DatabaseSync): Pick<RobotsCopies, 'find'> {
  const statement = db.prepare('select * from robots where origin = ?')
  return {
    async find(origin) {
      const row = statement.get(origin)
      return row === undefined ? null : toRobotsCopy(row)
    },
  }
}

export class SqliteRobots implements RobotsCopies {
  readonly #transactions: Transactions
  readonly #reader: Pick<RobotsCopies, 'find'>
  readonly #save

  constructor(db: DatabaseSync, transactions: Transactions) {
    this.#transactions = transactions
    this.#reader = makeRobotsReader(db)
    this.#save = db.prepare(
      `insert or replace into robots (origin, asked_at, expires_at, status, problem, body, good_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  find(origin: string): Promise<RobotsCopy | null> {
    return this.#reader.find(origin)
  }

  async save(copy: RobotsCopy): Promise<void> {
    const { origin, askedAt, expiresAt, status, problem, body, goodAt } = copy
    this.#transactions.run(() => this.#save.run(origin, askedAt, expiresAt, status, problem, body, goodAt))
  }
}
