// Decides whether a visit has found a change, and which.

import { CHANGE_FACTS, type ChangeFacts, type ChangeKind, type FactChanges } from '../ports/changes.ts'
import { type EndedVisit, isObservation, type RevisitHistory } from './revisit-history.ts'

/** Findings of a visit. */
export type VisitFinding = Pick<EndedVisit, 'state' | 'reason' | 'observedHash' | 'isUnchanged'>

/** What a URL led to. */
export type Destination = 'page' | 'redirect' | 'nothing'

/** Findings of the last visit that did not fail. */
export interface LastSeen {
  destination: Destination
  facts: ChangeFacts
  /** The last version that was a page, in the same crawl; null if there is none. */
  pageId: number | null
}

export function destinationOf({ state }: Pick<EndedVisit, 'state'>): Destination {
  if (state === 'visited') return 'page'
  return state === 'redirected' ? 'redirect' : 'nothing'
}

/** Whether the visit may have found a change. The previous findings have to be read only then. */
export function mayBeChange(before: RevisitHistory | null, end: VisitFinding): boolean {
  if (!isObservation(end) || end.isUnchanged) return false
  if (before === null || before.visits === 0) return end.state === 'visited'
  return before.observedHash !== end.observedHash
}

/** Whether the previous visit found a change too; null if it was the first, which says nothing. */
export function isRepeatedChange(before: RevisitHistory | null): boolean | null {
  return before === null || before.visits < 2 ? null : before.changedAt === before.visitedAt
}

/**
 * `last` is null at the first visit. `isNewUrl`: the URL was discovered after the first round of the crawl, which ends
 * when every URL known by then was visited. Null: no change.
 */
export function changeKind(last: LastSeen | null, now: Destination, isNewUrl: boolean): ChangeKind | null {
  if (last === null) return now === 'page' && isNewUrl ? 'added' : null
  if (now === 'redirect') return 'redirected'
  if (now === 'nothing') return last.destination === 'nothing' ? null : 'removed'
  if (last.destination === 'page') return 'changed'
  return last.pageId === null ? 'added' : 'returned'
}

export function changedFacts(before: ChangeFacts, after: ChangeFacts): FactChanges {
  const changes: Record<string, { before: unknown; after: unknown }> = {}
  for (const name of CHANGE_FACTS) {
    if (before[name] !== after[name]) changes[name] = { before: before[name], after: after[name] }
  }
  return changes as FactChanges
}
