// Queries as people type them, and what they find, on every index.

import { afterEach, beforeEach, describe, it } from 'node:test'
import type { TestIndex } from '../../ports/contracts/testing/test-index.ts'
import { PROSE_CASES } from './prose.contract.ts'
import { RELEVANCE_CASES } from './relevance.contract.ts'
import { SCRIPT_CASES } from './scripts.contract.ts'
import { SPELLING_CASES } from './spelling.contract.ts'
import { FORM_CASES } from './word-forms.contract.ts'

export function typedQueryContract(name: string, makeIndex: () => Promise<TestIndex>): void {
  describe(`${name}: queries as typed`, () => {
    let testIndex: TestIndex
    beforeEach(async () => {
      testIndex = await makeIndex()
    })
    afterEach(() => testIndex.close())
    const cases = { ...PROSE_CASES, ...SCRIPT_CASES, ...SPELLING_CASES, ...FORM_CASES, ...RELEVANCE_CASES }
    for (const [fact, run] of Object.entries(cases)) it(fact, () => run(testIndex))
  })
}
