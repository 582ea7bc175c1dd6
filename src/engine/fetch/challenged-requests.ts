// Requests that a server answers with a challenge (digest-auth.ts). They are sent again with an answer when their host may
// be requested.

import type { DigestCredentials } from '../../config/values/auth-entry.ts'
import type { Clock } from '../../lib/clock.ts'
import type { RequestPlan } from './active-request.ts'
import { DigestAuth, type DigestChallenge } from './digest-auth.ts'
import type { RequestDeadline } from './fetch-result.ts'
import { ANONYMOUS, type RequestHeaders } from './headers.ts'

export interface ChallengedRequest {
  deadline: RequestDeadline
  extraHeaders: RequestHeaders
  /** When the request was sent, the last time. */
  startedAt: number
  /** The challenge that the request responds to, and how often it was sent again after a challenge. */
  digest: { used: DigestChallenge | null; tries: number }
}

/** A first one, and one with a new nonce after the old one has expired. */
const MAX_CHALLENGES = 2

export interface ChallengedRequestEvents<R> {
  send(request: R): void
  /** Called if its lease has lapsed, or nothing may be sent any more. */
  onUnsent(request: R): void
}

export class ChallengedRequests<R extends ChallengedRequest> {
  readonly #auth: DigestAuth
  readonly #clock: Clock
  readonly #events: ChallengedRequestEvents<R>
  /** Waiting requests with functions that cancel the wait. */
  readonly #waiting = new Map<R, () => void>()
  #isStopped = false

  constructor(
    credentialsFor: (origin: string) => DigestCredentials | null,
    clock: Clock,
    events: ChallengedRequestEvents<R>,
  ) {
    this.#auth = new DigestAuth(credentialsFor)
    this.#clock = clock
    this.#events = events
  }

  withAnswer(headers: RequestHeaders, origin: string, path: string, request: R): RequestHeaders {
    const answer = headers.includes(ANONYMOUS) ? null : this.#auth.headerFor(origin, path)
    request.digest.used = answer?.challenge ?? null
    return answer === null ? headers : [...headers, ['authorization', answer.value]]
  }

  handlerFor(origin: string, request: R): RequestPlan['answerChallenge'] {
    const { digest, extraHeaders, deadline } = request
    if (extraHeaders.includes(ANONYMOUS)) return null
    return (headers) => {
      if (digest.tries >= MAX_CHALLENGES || !this.#auth.accept(origin, digest.used, headers)) return false
      digest.tries += 1
      if (this.#isStopped) {
        this.#events.onUnsent(request)
        return true
      }
      const now = this.#clock.now()
      const startAt = deadline.takeTurn?.(now) ?? now
      const cancel = this.#clock.after(startAt - now, () => this.#sendAgain(request))
      this.#waiting.set(request, cancel)
      return true
    }
  }

  /** A crawl that stops does not wait for the gap of a host, which may be long. */
  stop(): void {
    this.#isStopped = true
    for (const [request, cancel] of this.#waiting) {
      cancel()
      this.#waiting.delete(request)
      this.#events.onUnsent(request)
    }
  }

  #sendAgain(request: R): void {
    this.#waiting.delete(request)
    const now = this.#clock.now()
    if (now >= request.deadline.endDeadline) return this.#events.onUnsent(request)
    request.startedAt = now
    this.#events.send(request)
  }
}
