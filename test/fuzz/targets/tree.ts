// Pages of a grammar, read by us and by a tree builder. They are not damaged: the grammar leaves out where a reader
// without a tree is known to differ.

import assert from 'node:assert/strict'
import { flatPage, foreignPage, framePage } from '../../../src/engine/parse/html.grammar.ts'
import { readWithTree } from '../../../src/engine/parse/html.oracle.ts'
import { readHtml } from '../../../src/engine/parse/html.ts'
import { pureTarget, type Target } from '../target.ts'
import { sampleOf } from '../write.ts'

const GRAMMARS = [flatPage, foreignPage, framePage].map(sampleOf)

export const treeTarget: Target = {
  ...pureTarget(
    'tree',
    (random) => Buffer.from(random.pick(GRAMMARS)(random)),
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
