// Calls the hooks of the program from a crawl thread. The program may block its own thread, where the time limit of a hook
// is enforced. So if nothing at all comes back for longer than that, all waiting calls end as timed out.

import { RpcClient } from '../../lib/rpc.ts'
import type {
  FieldDecision,
  FollowDecision,
  HookLink,
  HookPage,
  HookRequest,
  Hooks,
  RequestDecision,
} from '../../ports/hooks.ts'
import type { HookPort } from './serve-hooks.ts'

/** Added to the limit of a hook: its answer needs time too. */
const GRACE_MS = 2000

export class HookClient implements Hooks {
  readonly has: Hooks['has']
  readonly #rpc: RpcClient
  readonly #service: Omit<Hooks, 'has'>
  readonly #silenceMs: number
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | null = null

  constructor({ port, has, timeoutMs }: HookPort) {
    this.has = has
    this.#silenceMs = timeoutMs + GRACE_MS
    this.#rpc = new RpcClient(port)
    this.#service = this.#rpc.service<Omit<Hooks, 'has'>>('hooks')
  }

  onRequests(requests: HookRequest[]): Promise<RequestDecision[]> {
    return this.#call(this.#service.onRequests(requests), () => requests.map(() => 'hook_timeout'))
  }

  shouldFollow(links: HookLink[]): Promise<FollowDecision> {
    return this.#call<FollowDecision>(this.#service.shouldFollow(links), () => ({ problem: 'hook_timeout' }))
  }

  extract(page: HookPage): Promise<FieldDecision> {
    return this.#call<FieldDecision>(this.#service.extract(page), () => ({ problem: 'hook_timeout' }))
  }

  close(): void {
    this.#stopTimer()
    this.#rpc.close()
  }

  #call<T>(answer: Promise<T>, timedOut: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const giveUp = () => resolve(timedOut())
    this.#waiting.add(giveUp)
    this.#timer ??= this.#startTimer()
    answer.then(resolve, reject).finally(() => {
      this.#waiting.delete(giveUp)
      this.#stopTimer()
      if (this.#waiting.size > 0) this.#timer = this.#startTimer()
    })
    return promise
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = null
      for (const giveUp of this.#waiting) giveUp()
      this.#waiting.clear()
    }, this.#silenceMs)
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
