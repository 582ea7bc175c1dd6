// What every hostile page costs a crawl in memory, beside an ordinary one, each in a process of its own.
// Names of pages as arguments measure those alone.

import { parseArgs } from 'node:util'
import { BEHAVIOURS, memoryOfPage, ORDINARY } from '../test/e2e/page-memory.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const names = positionals.length > 0 ? positionals : [...BEHAVIOURS.keys()]

async function measure(answer = ORDINARY): Promise<number> {
  const endings: (() => unknown)[] = []
  const mb = await memoryOfPage({ after: (putAway) => endings.push(putAway) }, answer)
  for (const putAway of endings) putAway()
  if (mb === null) throw new Error('This system does not tell how much memory a process has used.')
  return mb
}

const ordinary = await measure()
console.log(`${'an ordinary page'.padEnd(34)} ${ordinary.toFixed(0).padStart(5)} MB`)
for (const name of names) {
  const grown = (await measure(BEHAVIOURS.get(name))) - ordinary
  console.log(`${name.padEnd(34)} ${`+${grown.toFixed(0)}`.padStart(5)} MB`)
}
