// Generated pages, parsed by our reader and by a tree builder. They are not mutated: the grammar omits cases in which a
// reader without a tree is known to differ.

import assert from 'node:assert/strict'
import { readHtml } from '../../../src/engine/parse/html-reader.ts'
import { flatPage, foreignPage, framePage } from '../../../src/engine/parse/testing/html-grammar.ts'
import { readWithTree } from '../../../src/engine/parse/testing/html-oracle.ts'
import { type FuzzTarget, pureTarget } from '../fuzz-target.ts'
import { fromArbitrary } from '../input-writer.ts'

const GRAMMARS = [flatPage, foreignPage, framePage].map(fromArbitrary)

export const treeTarget: FuzzTarget = {
  ...pureTarget(
    'tree',
    (seededRandom) => Buffer.from(seededRandom.pick(GRAMMARS)(seededRandom)),
    (input) => check(input.toString()),
  ),
  shrinks: false,
}

function check(page: string): void {
  const { mixesNames, ...expected } = readWithTree(page)
  if (mixesNames) return
  const { links, baseHref, title, lang } = readHtml(page, true)
  assert.deepEqual({ links: links.map(({ kind, href }) => `${kind} ${href}`).sort(), baseHref, title, lang }, expected)
}
