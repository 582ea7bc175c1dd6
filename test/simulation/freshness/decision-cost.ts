// CPU time of one decision: the observation is recorded, its groups are updated, the next due time is computed.

import {
  NO_EVIDENCE,
  posteriorOf,
  rateConfidence,
  recordObservation,
} from '../../../src/frontier/recrawl/change-rate.ts'
import { dueTime } from '../../../src/frontier/recrawl/due-time.ts'
import { addToGroup, EMPTY_GROUP, groupIncrement, priorOfGroups } from '../../../src/frontier/recrawl/priors.ts'
import { addToAccuracy, announcementOf, gainOfSignal, NEW_SIGNAL } from '../../../src/frontier/recrawl/signals.ts'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { threadCpuMs } from '../../testing/cpu-time.ts'
import { DAY_MS, HOUR_MS } from './changing-web.ts'

const HOSTS = 1000
const BOUNDS = { minMs: HOUR_MS / 6, maxMs: 30 * DAY_MS }

/** Time of a decision in microseconds, with signals and for pages of all rates. */
export function measureDecision(decisions = 1_000_000): number {
  const random = seededRandom(17)
  const threshold = 10 * HOUR_MS
  const urls = Array.from({ length: HOSTS }, () => ({ history: NO_EVIDENCE, group: EMPTY_GROUP, record: NEW_SIGNAL }))
  const start = threadCpuMs()
  for (let i = 0; i < decisions; i++) {
    const url = urls[i % HOSTS] ?? { history: NO_EVIDENCE, group: EMPTY_GROUP, record: NEW_SIGNAL }
    const elapsedMs = HOUR_MS * 10 ** (4 * random.next())
    const isChanged = random.chance(elapsedMs / (elapsedMs + HOUR_MS * 10 ** ((4 * (i % HOSTS)) / HOSTS)))
    const hasSignal = isChanged && random.chance(0.5)
    const prior = priorOfGroups([url.group, url.group])
    const posterior = posteriorOf(url.history, prior)
    const announcement = hasSignal ? announcementOf(url.record, { posterior, elapsedMs, afterMs: elapsedMs / 2 }) : null
    const history = recordObservation(url.history, { elapsedMs, isChanged, announcement }, prior)
    const confidence = rateConfidence(url.history, posterior)
    const observation = { hasSignal, isChanged, posterior, confidence, elapsedMs }
    const record = addToAccuracy(url.record, gainOfSignal(url.record, observation))
    const group = addToGroup(url.group, groupIncrement(elapsedMs, history, prior))
    const candidate = { visitedAt: i, history, prior, importance: 1, signal: { accuracy: record, signalledAt: null } }
    // A decision is made once after the observation, and once when the URL is due.
    dueTime(candidate, threshold, BOUNDS)
    dueTime(candidate, 1.1 * threshold, BOUNDS)
    urls[i % HOSTS] = { history, group, record }
  }
  return ((threadCpuMs() - start) * 1000) / decisions
}
