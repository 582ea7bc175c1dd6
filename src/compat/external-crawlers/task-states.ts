// The task states of this API. A task is a URL:
//
//   pending      queued, and not handed out yet
//   assigned     handed to an external crawler that has not reported since
//   in-progress  being fetched by our own crawler, or by an external one that has reported progress
//   completed    visited, redirected or excluded
//   failed       forbidden, not found, or failed otherwise
//   reassigned   queued again after a failed attempt

import type { TerminalState } from '../../lib/states.ts'
import type { UrlInFlight } from '../../ports/crawls.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { isExternalThread } from './thread-id.ts'

export const TASK_STATES = ['pending', 'assigned', 'in-progress', 'completed', 'failed', 'reassigned'] as const
export type TaskState = (typeof TASK_STATES)[number]

const FAILED_STATES: readonly TerminalState[] = ['forbidden', 'not_found', 'http_error', 'failed']

export function taskState({ state, attempts }: Pick<UrlRow, 'state' | 'attempts'>, lease?: UrlInFlight): TaskState {
  switch (state) {
    case 'queued':
    case 'in_progress':
      if (lease !== undefined) return isAssigned(lease) ? 'assigned' : 'in-progress'
      return attempts === 0 ? 'pending' : 'reassigned'
    default:
      return isFailed(state) ? 'failed' : 'completed'
  }
}

export function isAssigned({ threadId, leasedAt, renewedAt }: UrlInFlight): boolean {
  return isExternalThread(threadId) && renewedAt <= leasedAt
}

export function isFailed(state: TerminalState): boolean {
  return FAILED_STATES.includes(state)
}
