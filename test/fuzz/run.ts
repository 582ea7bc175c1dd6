// `npm run fuzz`: feeds malformed input to every parser of untrusted data. Flags: --seconds N for all targets together,
// --target NAME for some only, --seed N and --runs N to replay, --input FILE for one input.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { tryInput } from './fuzz.ts'
import { fuzzInThread } from './fuzz-in-thread.ts'
import { printFinding, printHeading, printReport } from './report.ts'
import { findTarget, TARGETS } from './targets/targets.ts'

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: TARGETS.map((fuzzTarget) => fuzzTarget.name) },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    runs: { type: 'string' },
    seconds: { type: 'string', default: '75' },
    input: { type: 'string' },
  },
})
const names = values.target.map((name) => findTarget(name).name)
const seed = toNumber('seed', values.seed)
const maxRuns = values.runs === undefined ? Number.POSITIVE_INFINITY : toNumber('runs', values.runs)
const maxMs = (toNumber('seconds', values.seconds) * 1000) / names.length

process.exitCode = (values.input === undefined ? await fuzzAll() : await replay(values.input)) === 0 ? 0 : 1

async function fuzzAll(): Promise<number> {
  console.log(`seed ${seed}`)
  printHeading()
  let findings = 0
  for (const name of names) {
    const fuzzReport = await fuzzInThread(name, { firstSeed: seed, maxRuns, maxMs })
    printReport(fuzzReport)
    findings += fuzzReport.findings.length
  }
  return findings
}

async function replay(path: string): Promise<number> {
  let findings = 0
  for (const name of names) {
    const finding = await tryInput(findTarget(name), readFileSync(path), seed)
    if (finding !== null) printFinding(name, finding)
    else console.log(`${name}: no findings`)
    findings += finding === null ? 0 : 1
  }
  return findings
}

function toNumber(flag: string, text: string): number {
  const number = Number(text)
  if (text === '' || !(number >= 0)) throw new Error(`--${flag} must be a number, not "${text}".`)
  return number
}
