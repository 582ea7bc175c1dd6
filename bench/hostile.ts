// What every hostile page costs a crawl in memory, beside an ordinary one, each in a process of its own.
// Names of pages as arguments measure those alone.

import { parseArgs } from 'node:util'
import { HOSTILE_PAGES, measurePageMemoryMb, ORDINARY_PAGE } from '../test/e2e/testing/page-memory.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const names = positionals.length > 0 ? positionals : [...HOSTILE_PAGES.keys()]

async function measure(hostileResponder = ORDINARY_PAGE): Promise<number> {
  const endings: (() => unknown)[] = []
  const mb = await measurePageMemoryMb({ after: (putAway) => endings.push(putAway) }, hostileResponder)
  for (const putAway of endings) putAway()
  if (mb === null) throw new Error('This system does not tell how much memory a process has used.')
  return mb
}

const ordinary = await measure()
console.log(`${'an ordinary page'.padEnd(34)} ${ordinary.toFixed(0).padStart(5)} MB`)
for (const name of names) {
  const grown = (await measure(HOSTILE_PAGES.get(name))) - ordinary
  console.log(`${name.padEnd(34)} ${`+${grown.toFixed(0)}`.padStart(5)} MB`)
}
