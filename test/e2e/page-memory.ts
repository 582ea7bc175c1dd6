// The memory that it takes to crawl one page, with the real program in a process of its own.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BOMBS } from '../sites/hostile/bombs.ts'
import { MONSTERS, serveMonster } from '../sites/hostile/monsters.ts'
import { PAGES } from '../sites/hostile/pages.ts'
import { type Answer, page } from '../sites/hostile/trap.ts'
import { watchMemory } from './peak-memory.ts'
import { type Ending, FAST, start, summaryOf, temporaryFolder } from './program.ts'

/** Large blocks go back to the system when they are freed: glibc would keep some of them, now 20 MiB and now 100. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }
const MB_PER_MIB = 1.048576

export const ORDINARY = page(`<title>Page</title><a href="/">home</a>${'<p>A page like any other.</p>'.repeat(300)}`)

/** What a page of a hostile site does, by name. */
export const BEHAVIOURS: ReadonlyMap<string, Answer> = new Map([
  ...Object.entries({ ...BOMBS, ...PAGES }).map(([path, [, answer]]) => [path, answer] as const),
  ...Object.entries(MONSTERS).map(([name, monster]) => [name, serveMonster(monster)] as const),
])

/** At its most, in MB; null on a system that does not tell. */
export async function memoryOfPage(t: Ending, answer: Answer): Promise<number | null> {
  const server = createServer(({ url }, response) =>
    url === '/page' ? answer(response) : response.writeHead(404).end(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`
  const flags = [...FAST, '--threads', '1', '--max-pages', '1', '--retries', '0', '--data', temporaryFolder(t)]
  const program = start(['crawl', home, ...flags], { env: MALLOC })
  const peak = watchMemory(program.child)
  summaryOf(await program.ended)
  const mib = peak()
  return mib === null ? null : mib * MB_PER_MIB
}
