// The rules of src/frontier/recrawl with their state in memory, put together as the stores do.

import {
  type RevisitBudget,
  refillBudget,
  spendVisits,
  startBudget,
  visitsAllowed,
} from '../../../src/frontier/recrawl/budget.ts'
import {
  type Announcement,
  type ChangeEvidence,
  NO_EVIDENCE,
  posteriorOf,
  rateConfidence,
  recordObservation,
} from '../../../src/frontier/recrawl/change-rate.ts'
import {
  dueTime,
  isPostponed,
  type RevisitBounds,
  type RevisitCandidate,
} from '../../../src/frontier/recrawl/due-time.ts'
import {
  addToGroup,
  DEFAULT_PRIOR,
  EMPTY_GROUP,
  groupIncrement,
  priorOfGroups,
  type RateGroup,
} from '../../../src/frontier/recrawl/priors.ts'
import {
  addToAccuracy,
  announcementOf,
  gainOfSignal,
  NEW_SIGNAL,
  type SignalAccuracy,
} from '../../../src/frontier/recrawl/signals.ts'
import type { ChangingPage } from './changing-web.ts'
import { givesSignals, type SignalWorld } from './signals.ts'
import type { RevisitPolicy, VisitBudget } from './simulate-policy.ts'

interface KnownPage {
  history: ChangeEvidence
  visitedAt: number
  signalledAt: number | null
}

export interface OurPolicyOptions {
  signals: SignalWorld
  bounds: RevisitBounds
  perDay: number
}

export function ourPolicy(
  pages: ChangingPage[],
  { signals, bounds, perDay }: OurPolicyOptions,
): { policy: RevisitPolicy; budget: VisitBudget; state: { budget: RevisitBudget } } {
  const known: KnownPage[] = pages.map(() => ({
    history: NO_EVIDENCE,
    visitedAt: 0,
    signalledAt: null,
  }))
  const hostRates = new Map<number, RateGroup>()
  const patternRates = new Map<number, RateGroup>()
  const records = new Map<number, SignalAccuracy>()
  const limits = { perDay, urls: pages.length }
  const state = { budget: startBudget(limits, DEFAULT_PRIOR, 0) }

  const at = <T>(list: T[], index: number): T => {
    const item = list[index]
    if (item === undefined) throw new RangeError(`no page ${index}`)
    return item
  }
  const priorOf = ({ host, pattern }: ChangingPage) =>
    priorOfGroups([hostRates.get(host) ?? EMPTY_GROUP, patternRates.get(pattern) ?? EMPTY_GROUP])
  const recordOf = ({ host }: ChangingPage) => (givesSignals(signals, host) ? (records.get(host) ?? NEW_SIGNAL) : null)
  const candidateOf = (index: number): RevisitCandidate => {
    const page = at(pages, index)
    const { history, visitedAt, signalledAt } = at(known, index)
    const record = recordOf(page)
    const signal = record === null ? null : { accuracy: record, signalledAt }
    return { visitedAt, history, prior: priorOf(page), importance: page.importance, signal }
  }
  const dueOf = (index: number) => dueTime(candidateOf(index), state.budget.threshold, bounds)

  const policy: RevisitPolicy = {
    firstDue(index, now) {
      at(known, index).visitedAt = now
      return dueOf(index)
    },
    dueAfterObservation(index, { now, elapsedMs, isChanged, hasSignal }) {
      const page = at(pages, index)
      const url = at(known, index)
      const prior = priorOf(page)
      const record = recordOf(page)
      let announcement: Announcement | null = null
      if (record !== null) {
        const posterior = posteriorOf(url.history, prior)
        if (url.signalledAt !== null) {
          announcement = announcementOf(record, { posterior, elapsedMs, afterMs: url.signalledAt - url.visitedAt })
        }
        const confidence = rateConfidence(url.history, posterior)
        const observation = { hasSignal, isChanged, posterior, confidence, elapsedMs }
        records.set(page.host, addToAccuracy(record, gainOfSignal(record, observation)))
      }
      const history = recordObservation(url.history, { elapsedMs, isChanged, announcement }, prior)
      const gain = groupIncrement(elapsedMs, history, prior)
      hostRates.set(page.host, addToGroup(hostRates.get(page.host) ?? EMPTY_GROUP, gain))
      patternRates.set(page.pattern, addToGroup(patternRates.get(page.pattern) ?? EMPTY_GROUP, gain))
      known[index] = { history, visitedAt: now, signalledAt: null }
      return dueOf(index)
    },
    postponedTo(index, now) {
      const dueAt = dueOf(index)
      return isPostponed({ visitedAt: at(known, index).visitedAt, dueAt, now }) ? dueAt : null
    },
    dueAfterSignal(index, now) {
      at(known, index).signalledAt = now
      return dueOf(index)
    },
  }
  const budget: VisitBudget = {
    refill(now) {
      state.budget = refillBudget(state.budget, limits, now)
      return visitsAllowed(state.budget)
    },
    spend(visits) {
      state.budget = spendVisits(state.budget, visits)
    },
  }
  return { policy, budget, state }
}
