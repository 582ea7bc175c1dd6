// Memory that hostile pages cost a crawl, compared with an ordinary one. Only the most expensive ones are here; `node
// bench/hostile.ts` measures all.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HOSTILE_PAGES, measurePageMemoryMb, ORDINARY_PAGE } from './testing/page-memory.ts'

const MAX_GROWTH_MB = 100
const WORST = [
  'many short links',
  'many attributes',
  'nested SVG',
  'xmp of NULs',
  'references in an attribute',
  '/bomb/gzip',
]

it('each hostile page costs less than 100 MB more than an ordinary one', { timeout: 240_000 }, async (t) => {
  const ordinary = await measurePageMemoryMb(t, ORDINARY_PAGE)
  if (ordinary === null) return t.skip('this system does not report peak memory')
  for (const name of WORST) {
    const answer = HOSTILE_PAGES.get(name)
    assert.ok(answer !== undefined, name)
    const grownMb = ((await measurePageMemoryMb(t, answer)) ?? 0) - ordinary
    t.diagnostic(`${name}: ${Math.round(grownMb)} MB more than ${Math.round(ordinary)}`)
    assert.ok(grownMb < MAX_GROWTH_MB, `${name}: ${grownMb} MB`)
  }
})
