// Queries the addresses of a name: which source to ask, and how long to wait for it.

import type { Clock } from '../../lib/clock.ts'
import { type DnsResult, mergeDnsResults } from './dns-result.ts'
import { isUnreachable, type NameServers } from './name-servers.ts'
import type { QueryLimiter } from './query-limiter.ts'
import { isLocalName, type SystemLookup } from './system-lookup.ts'

export interface QueryDependencies {
  servers: NameServers
  limiter: QueryLimiter
  system: SystemLookup
  clock: Clock
}

export interface DnsReply {
  outcome: DnsResult
  /** Whether the result came from servers, which are the only source of CNAME chains. */
  isFromServers: boolean
}

/** Some servers never respond for IPv6. Once there is an address, the other family gets this long (RFC 8305, 3). */
const OTHER_FAMILY_MS = 50

/** Calls back once, after `deadlineMs` at the latest. */
export function queryAddresses(
  query: { name: string; deadlineMs: number },
  queryDependencies: QueryDependencies,
  done: (dnsReply: DnsReply) => void,
): void {
  let isOver = false
  const settle = (dnsResult: DnsResult, isFromServers: boolean) => {
    if (isOver) return
    isOver = true
    cancelDeadline()
    done({ outcome: dnsResult, isFromServers })
  }
  const cancelDeadline = queryDependencies.clock.after(query.deadlineMs, () => {
    settle({ kind: 'failed', code: 'ETIMEOUT' }, false)
  })
  const querySystem = () => queryDependencies.system(query.name, (dnsResult) => settle(dnsResult, false))
  if (isLocalName(query.name)) return querySystem()
  queryDependencies.limiter.run((finished) => {
    if (isOver) return finished()
    queryServers(query.name, queryDependencies, (dnsResult) => {
      finished()
      // No server is configured or reachable: the system may have another source of names.
      if (isUnreachable(dnsResult)) querySystem()
      else settle(dnsResult, true)
    })
  })
}

function queryServers(name: string, { servers, clock }: QueryDependencies, done: (dnsResult: DnsResult) => void): void {
  const results: DnsResult[] = []
  let cancelWait: (() => void) | null = null
  let isOver = false
  const settle = () => {
    if (isOver) return
    isOver = true
    cancelWait?.()
    done(mergeDnsResults(results))
  }
  const addResult = (result: DnsResult) => {
    results.push(result)
    if (results.length === 2) settle()
    else if (result.kind === 'found') cancelWait = clock.after(OTHER_FAMILY_MS, settle)
  }
  servers.queryAddresses(name, 4, addResult)
  servers.queryAddresses(name, 6, addResult)
}
