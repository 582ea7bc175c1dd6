// One call to somebody else's server: guarded like every request of a crawl, followed nowhere, soon over.

import { DNS_DEFAULTS, NameResolver, SYSTEM_SOURCES } from '../../engine/dns/resolver.ts'
import { buildGuard, type GuardSettings } from '../../engine/fetch/guard.ts'
import { openOrigin } from '../../engine/fetch/origin.ts'
import { problemOf } from '../../engine/fetch/result.ts'
import type { Clock } from '../../lib/clock.ts'

export interface Call {
  url: string
  headers: Record<string, string>
  body: string
}

/** Status null: there was no answer, for the reason that `problem` names. */
export interface CallOutcome {
  status: number | null
  problem: string | null
}

export interface Poster {
  post(call: Call, signal: AbortSignal): Promise<CallOutcome>
  close(): void
}

const TIMEOUT_MS = 10_000

export function openPoster(guarding: GuardSettings, clock: Clock, timeoutMs = TIMEOUT_MS): Poster {
  const resolver = new NameResolver(DNS_DEFAULTS, SYSTEM_SOURCES, clock)
  const guard = buildGuard(guarding)
  const settings = { connectionsPerOrigin: 1, timeoutMs, insecure: false, resolver, guard }
  return {
    async post({ url, headers, body }, signal) {
      const { origin, pathname, search } = new URL(url)
      const { pool } = openOrigin(origin, settings)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const request = { path: pathname + search, method: 'POST', headers, body } as const
        const answer = await pool.request({ ...request, signal: AbortSignal.any([signal, timeout]) })
        // Nobody reads the rest of the answer.
        answer.body.on('error', () => undefined).destroy()
        return { status: answer.statusCode, problem: problemOfStatus(answer.statusCode) }
      } catch (error) {
        if (timeout.aborted) return { status: null, problem: 'timeout' }
        return { status: null, problem: problemOf(error instanceof Error ? error : new Error(String(error))).problem }
      } finally {
        await pool.destroy()
      }
    },
    close: () => resolver.close(),
  }
}

function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirected' : 'http_error'
}
