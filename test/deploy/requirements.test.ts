// docs/reference/requirements.md grades every requirement, and the files that it names exist.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'docs/reference/requirements.md'), 'utf8')

/** Number of ids of each kind in the list. */
const COUNTS = {
  API: 26,
  FRO: 27,
  NRM: 4,
  FET: 12,
  POL: 11,
  PAR: 7,
  STO: 10,
  IDX: 8,
  REC: 4,
  FLT: 14,
  SEC: 3,
  PRF: 4,
  SCL: 4,
  EXT: 3,
  UI: 4,
  OBS: 6,
  DEP: 3,
  TST: 7,
}

/** Ids in the first cells, including ranges such as "API-09 to API-17". */
function gradedIds(): Set<string> {
  const ids = new Set<string>()
  for (const [, cell = ''] of text.matchAll(/^\| ([A-Z]+-\d\d[^|]*) \|/gm)) {
    for (const [, kind = '', first = '', last = first] of cell.matchAll(/([A-Z]+)-(\d\d)(?: to [A-Z]+-(\d\d))?/g)) {
      for (let number = Number(first); number <= Number(last); number++)
        ids.add(`${kind}-${String(number).padStart(2, '0')}`)
    }
  }
  return ids
}

it('every requirement is graded', () => {
  const all = Object.entries(COUNTS).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, i) => `${kind}-${String(i + 1).padStart(2, '0')}`),
  )
  assert.deepEqual([...gradedIds()].toSorted(), all.toSorted())
})

it('every file that is named as evidence exists', () => {
  const paths = [...text.matchAll(/`([\w./*{}-]+\.(?:ts|md))`/g)].map(([, path = '']) => path)
  assert.ok(paths.length > 100)
  const missing = paths.filter((path) => {
    const place = /^(test|docs)\//.test(path) ? path : `src/${path}`
    return globSync(place, { cwd: ROOT }).length === 0
  })
  assert.deepEqual(missing, [])
})
