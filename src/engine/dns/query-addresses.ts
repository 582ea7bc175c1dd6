// One question for the addresses of a name: whom to ask, and how long to wait for whom.

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
  /** Only they can tell the aliases of a name. */
  isFromServers: boolean
}

/** Some servers never answer for IPv6. Once there is an address, the other family gets this long (RFC 8305, 3). */
const OTHER_FAMILY_MS = 50

/** Calls back once, after `deadlineMs` at the latest. */
export function queryAddresses(
  question: { name: string; deadlineMs: number },
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
  const cancelDeadline = queryDependencies.clock.after(question.deadlineMs, () => {
    settle({ kind: 'failed', code: 'ETIMEOUT' }, false)
  })
  const askSystem = () => queryDependencies.system(question.name, (dnsResult) => settle(dnsResult, false))
  if (isLocalName(question.name)) return askSystem()
  queryDependencies.limiter.run((answered) => {
    if (isOver) return answered()
    queryServers(question.name, queryDependencies, (dnsResult) => {
      answered()
      // No server is set up, or none is there: the system may know another way to names.
      if (isUnreachable(dnsResult)) askSystem()
      else settle(dnsResult, true)
    })
  })
}

function queryServers(name: string, { servers, clock }: QueryDependencies, done: (dnsResult: DnsResult) => void): void {
  const answers: DnsResult[] = []
  let cancelWait: (() => void) | null = null
  let isOver = false
  const settle = () => {
    if (isOver) return
    isOver = true
    cancelWait?.()
    done(mergeDnsResults(answers))
  }
  const take = (answer: DnsResult) => {
    answers.push(answer)
    if (answers.length === 2) settle()
    else if (answer.kind === 'found') cancelWait = clock.after(OTHER_FAMILY_MS, settle)
  }
  servers.queryAddresses(name, 4, take)
  servers.queryAddresses(name, 6, take)
}
