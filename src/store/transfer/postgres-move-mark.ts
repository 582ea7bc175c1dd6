// The mark of a database that a transfer is filling: this table. While it exists, everybody else rejects the database.

import type { Queryable } from '../postgres/query.ts'
import { moveUnfinishedError } from './move-errors.ts'

const TABLE = 'unfinished_move'

export async function hasUnfinishedMove(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({ text: `select to_regclass('${TABLE}') is not null as is_there` })
  return rows[0]?.['is_there'] === true
}

export async function assertNoUnfinishedMove(db: Queryable): Promise<void> {
  if (await hasUnfinishedMove(db)) throw moveUnfinishedError('this database')
}

export async function markMove(db: Queryable): Promise<void> {
  await db.query({ text: `create table if not exists ${TABLE} ()` })
}

export async function unmarkMove(db: Queryable): Promise<void> {
  await db.query({ text: `drop table ${TABLE}` })
}
