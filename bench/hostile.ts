// Memory that a crawl needs for each hostile page, compared with an ordinary one; one process per page. Arguments
// select pages by name.

import { parseArgs } from 'node:util'
import { HOSTILE_PAGES, measurePageMemoryMb, ORDINARY_PAGE } from '../test/e2e/testing/page-memory.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const names = positionals.length > 0 ? positionals : [...HOSTILE_PAGES.keys()]

async function measure(hostileResponder = ORDINARY_PAGE): Promise<number> {
  const cleanUps: (() => unknown)[] = []
  const mb = await measurePageMemoryMb({ after: (cleanUp) => cleanUps.push(cleanUp) }, hostileResponder)
  for (const cleanUp of cleanUps) cleanUp()
  if (mb === null) throw new Error('This system does not report the peak memory of a process.')
  return mb
}

const ordinary = await measure()
console.log(`${'an ordinary page'.padEnd(34)} ${ordinary.toFixed(0).padStart(5)} MB`)
for (const name of names) {
  const grown = (await measure(HOSTILE_PAGES.get(name))) - ordinary
  console.log(`${name.padEnd(34)} ${`+${grown.toFixed(0)}`.padStart(5)} MB`)
}
