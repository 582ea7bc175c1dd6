// A short, fixed slice of `npm run fuzz`, so that a failure is due to a change in the code.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FuzzPlan, fuzzTarget, makeInput, tryInput } from './fuzz.ts'
import { type FuzzTarget, pureTarget } from './fuzz-target.ts'
import { makeInputWriter, randomTokens } from './input-writer.ts'
import { TARGETS } from './targets/targets.ts'

const RUNS: Record<string, number> = { http: 300 }
const DEFAULT_RUNS = 2000

function planOf(maxRuns: number): FuzzPlan {
  return { firstSeed: 1, maxRuns, maxMs: Number.POSITIVE_INFINITY, starting: () => undefined }
}

for (const target of TARGETS) {
  it(`no malformed input breaks ${target.name}`, async () => {
    const fuzzReport = await fuzzTarget(target, planOf(RUNS[target.name] ?? DEFAULT_RUNS))
    assert.deepEqual(fuzzReport.findings, [])
    assert.ok(fuzzReport.runs > 0)
  })
}

const TOKENS = ['open', 'close', '(', ')', ' ']
const write = makeInputWriter({
  corpus: ['open (close)'],
  tokens: TOKENS,
  grammars: [randomTokens(TOKENS)],
  maxBytes: 1000,
})

function withDefect(check: (text: string) => void): FuzzTarget {
  return pureTarget('planted', write, (input) => check(input.toString('latin1')))
}

describe('a planted defect', () => {
  const throwing = withDefect((text) => assert.ok(!text.includes('((('), 'three in a row'))

  it('is found, shrunk and replayed from its seed or its input', async () => {
    const { findings } = await fuzzTarget(throwing, planOf(20_000))
    const [finding] = findings
    assert.ok(finding !== undefined && findings.length === 1)
    assert.equal(Buffer.from(finding.input).toString(), '(((')
    assert.match(finding.message, /three in a row/)
    const input = makeInput(throwing, finding.seed)
    for (const one of [input, Buffer.from(finding.input)]) {
      assert.match((await tryInput(throwing, one, finding.seed))?.message ?? '', /three in a row/)
    }
  })

  it('that takes too long is found', async () => {
    const slow = withDefect(() => {
      const end = process.threadCpuUsage().user + 1_100_000
      while (process.threadCpuUsage().user < end);
    })
    const { findings } = await fuzzTarget({ ...slow, shrinks: false }, planOf(1))
    assert.match(findings[0]?.message ?? '', /too slow/)
  })
})

it('a seed always gives the same input, another seed another one', () => {
  for (const target of TARGETS) {
    assert.deepEqual(makeInput(target, 5), makeInput(target, 5))
    assert.notDeepEqual(makeInput(target, 5), makeInput(target, 6))
  }
})
