// The mark of a database that a move is filling: this table. While it is there, everybody else refuses the database.

import { moveUnfinished } from '../rows/move-errors.ts'
import type { Queryable } from './query.ts'

const TABLE = 'unfinished_move'

export async function isMoving(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({ text: `select to_regclass('${TABLE}') is not null as is_there` })
  return rows[0]?.['is_there'] === true
}

export async function refuseMoving(db: Queryable): Promise<void> {
  if (await isMoving(db)) throw moveUnfinished('this database')
}

export async function setMark(db: Queryable): Promise<void> {
  await db.query({ text: `create table if not exists ${TABLE} ()` })
}

export async function removeMark(db: Queryable): Promise<void> {
  await db.query({ text: `drop table ${TABLE}` })
}
