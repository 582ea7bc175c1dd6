import type { DatabaseSync } from 'node:sqlite'
import { prepareCached } from '../prepare-cached.ts'

const [COMMA, ZERO] = [44, 48]

/**
 * Runs `sql`, which selects a column `id`. All ids are read as one string, because a row per id takes twice as long.
 */
export function readIds(db: DatabaseSync, sql: string, values: (string | number | null)[]): number[] {
  const ids = prepareCached(db, `select group_concat(id) as ids from (${sql})`).get(...values)?.['ids']
  return typeof ids === 'string' ? parseIds(ids) : []
}

function parseIds(text: string): number[] {
  const ids: number[] = []
  let id = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === COMMA) {
      ids.push(id)
      id = 0
    } else id = 10 * id + code - ZERO
  }
  ids.push(id)
  return ids
}
