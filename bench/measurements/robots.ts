// Time of a robots.txt decision once the rules are known, and time until they are known: from the first URL of a new
// host to its permit, over loopback.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RobotsChecker } from '../../src/engine/robots/robots-checker.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { buildFetcher } from '../../src/worker/threads/build-fetcher.ts'

const RULES = 1000
const DECISIONS = 200_000

export interface RobotsResult {
  rules: number
  meanMicros: number
  slowestMs: number
  /** Time from an unknown host to the permit for its first URL. */
  adaptMs: number
}

export async function measureRobots(): Promise<RobotsResult> {
  const lines = Array.from({ length: RULES }, (_, i) => `Disallow: /folder-${i}/${i % 10 === 0 ? '*/private$' : ''}`)
  const server = createServer((_request, response) => response.end(`User-agent: *\n${lines.join('\n')}\n`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const common = {
    userAgent: 'Orbweaver/0.1',
    headers: [],
    auth: [],
    proxies: [],
    timeoutMs: 10_000,
    maxBodyBytes: 1e6,
    perHost: 1,
  }
  const fetcher = buildFetcher({ ...common, allowPrivate: true, allow: [], insecure: false }, [])
  const copies = { find: async () => null, save: async () => undefined }
  const gate = new RobotsChecker(
    { userAgent: common.userAgent, ignoreRobots: false, failureMs: 1000 },
    { fetcher, copies, clock: systemClock },
  )
  try {
    const startedAt = performance.now()
    await gate.loadStoredRules(`${origin}/`)
    await gate.fetchRules(`${origin}/`, 0)
    if (gate.check(`${origin}/`).kind !== 'allowed') throw new Error('The rules were not loaded.')
    const adaptMs = performance.now() - startedAt
    return { rules: RULES, ...timeDecisions(gate, origin), adaptMs }
  } finally {
    await fetcher.close()
    server.closeAllConnections()
    server.close()
  }
}

function timeDecisions(gate: RobotsChecker, origin: string): { meanMicros: number; slowestMs: number } {
  let slowestMs = 0
  const startedAt = performance.now()
  for (let i = 0; i < DECISIONS; i++) {
    const before = performance.now()
    gate.check(`${origin}/folder-${i % (2 * RULES)}/page/${i}/private`)
    slowestMs = Math.max(slowestMs, performance.now() - before)
  }
  return { meanMicros: ((performance.now() - startedAt) * 1000) / DECISIONS, slowestMs }
}
