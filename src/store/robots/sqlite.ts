// Stored copies of robots.txt files.

import type { DatabaseSync } from 'node:sqlite'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toRobotsCopy } from './robots-copy.ts'

export class SqliteRobots implements RobotsCopies {
  readonly #transactions: Transactions
  readonly #find
  readonly #save

  constructor(db: DatabaseSync, transactions: Transactions) {
    this.#transactions = transactions
    this.#find = db.prepare('select * from robots where origin = ?')
    this.#save = db.prepare(
      `insert or replace into robots (origin, asked_at, expires_at, status, problem, body, good_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  async find(origin: string): Promise<RobotsCopy | null> {
    const row = this.#find.get(origin)
    return row === undefined ? null : toRobotsCopy(row)
  }

  async save(copy: RobotsCopy): Promise<void> {
    const { origin, askedAt, expiresAt, status, problem, body, goodAt } = copy
    this.#transactions.run(() => this.#save.run(origin, askedAt, expiresAt, status, problem, body, goodAt))
  }
}
