// One question for the addresses of a name: whom to ask, and how long to wait for whom.

import type { Clock } from '../../lib/clock.ts'
import { joinAnswers, type Outcome } from './answer.ts'
import type { Outlet } from './outlet.ts'
import { isUnreachable, type NameServers } from './servers.ts'
import { type AskSystem, isLocalName } from './system.ts'

export interface Sources {
  servers: NameServers
  outlet: Outlet
  system: AskSystem
  clock: Clock
}

export interface Reply {
  outcome: Outcome
  /** Only they can tell the aliases of a name. */
  isFromServers: boolean
}

/** Some servers never answer for IPv6. Once there is an address, the other family gets this long (RFC 8305, 3). */
const OTHER_FAMILY_MS = 50

/** Calls back once, after `deadlineMs` at the latest. */
export function askFor(
  question: { name: string; deadlineMs: number },
  sources: Sources,
  done: (reply: Reply) => void,
): void {
  let isOver = false
  const settle = (outcome: Outcome, isFromServers: boolean) => {
    if (isOver) return
    isOver = true
    cancelDeadline()
    done({ outcome, isFromServers })
  }
  const cancelDeadline = sources.clock.after(question.deadlineMs, () => {
    settle({ kind: 'failed', code: 'ETIMEOUT' }, false)
  })
  const askSystem = () => sources.system(question.name, (outcome) => settle(outcome, false))
  if (isLocalName(question.name)) return askSystem()
  sources.outlet.pass((answered) => {
    if (isOver) return answered()
    askServers(question.name, sources, (outcome) => {
      answered()
      // No server is set up, or none is there: the system may know another way to names.
      if (isUnreachable(outcome)) askSystem()
      else settle(outcome, true)
    })
  })
}

function askServers(name: string, { servers, clock }: Sources, done: (outcome: Outcome) => void): void {
  const answers: Outcome[] = []
  let cancelWait: (() => void) | null = null
  let isOver = false
  const settle = () => {
    if (isOver) return
    isOver = true
    cancelWait?.()
    done(joinAnswers(answers))
  }
  const take = (answer: Outcome) => {
    answers.push(answer)
    if (answers.length === 2) settle()
    else if (answer.kind === 'found') cancelWait = clock.after(OTHER_FAMILY_MS, settle)
  }
  servers.askAddresses(name, 4, take)
  servers.askAddresses(name, 6, take)
}
