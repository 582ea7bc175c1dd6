// Runs the hooks of a program in the program's own thread, on behalf of its crawl threads. If a hook throws, takes too long
// or returns an invalid value, that is a decision like any other, so that the crawl itself does not depend on it.

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { RpcServer } from '../../lib/rpc.ts'
import {
  type FieldDecision,
  type FollowDecision,
  HOOK_REFUSED,
  type HookLink,
  type HookPage,
  type HookProblem,
  type HookRequest,
  type Hooks,
  type RequestDecision,
} from '../../ports/hooks.ts'
import type { FieldValue } from '../../ports/pages.ts'

type MaybePromise<T> = T | Promise<T>

/** The hooks that a program may pass to `crawl`. */
export interface CrawlHooks {
  /** Called before each request for a URL of the crawl; false leaves the URL out. */
  onRequest?(request: HookRequest): MaybePromise<boolean | undefined>
  /** Called for each link of an HTML page; false does not follow it. Another page may still lead to the URL. */
  shouldFollow?(link: HookLink): MaybePromise<boolean>
  /** Called for each HTML page; the returned fields are added to the fields of the page. */
  extract?(page: HookPage): MaybePromise<Record<string, FieldValue> | null | undefined>
  /** Timeout of a call; by default 10 seconds. */
  timeoutMs?: number
}

/** The connection through which a crawl thread calls hooks. */
export interface HookPort {
  port: MessagePort
  has: Hooks['has']
  timeoutMs: number
}

const DEFAULT_TIMEOUT_MS = 10_000
const MAX_FIELDS = 1000
const MAX_CHARACTERS = 200_000

/** `onProblem` is called for every call that failed. */
export function connectHooks(
  hooks: CrawlHooks,
  onProblem: (url: string, hook: string, error: unknown) => void,
): HookPort {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = hooks
  const has = {
    onRequest: hooks.onRequest !== undefined,
    shouldFollow: hooks.shouldFollow !== undefined,
    extract: hooks.extract !== undefined,
  }
  let isClosed = false
  const call = async <T>(url: string, hook: string, run: () => MaybePromise<T>): Promise<{ value: T } | Failed> => {
    try {
      return { value: await withinTime(timeoutMs, run) }
    } catch (error) {
      // The crawl was stopped while the hook ran: its URL is queued again.
      if (!isClosed) onProblem(url, hook, error)
      return { problem: error instanceof TimeIsUp ? 'hook_timeout' : 'hook_failed' }
    }
  }
  const service: Omit<Hooks, 'has'> = {
    onRequests: (requests) =>
      Promise.all(
        requests.map(async (request): Promise<RequestDecision> => {
          const decided = await call(request.url, 'onRequest', () => hooks.onRequest?.(request))
          if ('problem' in decided) return decided.problem
          return decided.value === false ? HOOK_REFUSED : 'allowed'
        }),
      ),
    async shouldFollow(links): Promise<FollowDecision> {
      const [{ pageUrl } = { pageUrl: '' }] = links
      const decided = await call(pageUrl, 'shouldFollow', () =>
        Promise.all(links.map(async (link) => (await hooks.shouldFollow?.(link)) !== false)),
      )
      return 'problem' in decided ? decided : { follow: decided.value }
    },
    async extract(page): Promise<FieldDecision> {
      const decided = await call(page.url, 'extract', async () => checkFields(await hooks.extract?.(page)))
      return 'problem' in decided ? decided : { fields: decided.value }
    },
  }
  const { port1, port2 } = new MessageChannel()
  port1.on('close', () => {
    isClosed = true
  })
  new RpcServer({ hooks: service }).serve(port1)
  return { port: port2, has, timeoutMs }
}

interface Failed {
  problem: HookProblem
}

class TimeIsUp extends Error {}

function withinTime<T>(timeoutMs: number, run: () => MaybePromise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new TimeIsUp(`It took longer than ${timeoutMs} ms.`)), timeoutMs)
  // A hook that never returns does not keep the program alive after its crawl.
  timer.unref()
  Promise.try(run)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer))
  return promise
}

/** Throws if they are no fields: only text, numbers, null and lists of the first two can be stored. */
function checkFields(fields: unknown): Record<string, FieldValue> | null {
  if (fields === null || fields === undefined) return null
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new TypeError('The hook extract must return an object.')
  const entries = Object.entries(fields)
  const bad = entries.find(([, value]) => !isFieldValue(value))
  if (bad !== undefined)
    throw new TypeError(`The field ${bad[0]} must be text, a number, null, or a list of texts and numbers.`)
  if (entries.length > MAX_FIELDS || JSON.stringify(fields).length > MAX_CHARACTERS)
    throw new RangeError(`The hook extract may return ${MAX_FIELDS} fields and ${MAX_CHARACTERS} characters.`)
  return Object.fromEntries(entries)
}

function isFieldValue(value: unknown): value is FieldValue {
  if (value === null || isScalar(value)) return true
  // A list may have more holes than can be written.
  return Array.isArray(value) && value.length <= MAX_CHARACTERS && Array.from(value).every(isScalar)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || Number.isFinite(value)
}
