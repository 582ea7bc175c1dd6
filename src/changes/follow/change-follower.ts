// Follows the changes that visits have found: examines each once, and publishes relevant ones. Any number of processes
// may do this. A change whose process dies is claimed again when its claim expires.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PageReaderDependencies } from '../../engine/pages/read-archived-page.ts'
import { BackgroundLoop } from '../../lib/background-loop.ts'
import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { ChangeFeed, ExaminedChange, NoiseUpdate, PendingChange } from '../../ports/changes.ts'
import type { ComparisonRules } from '../compare-versions.ts'
import { compileIgnoreRules, type IgnoreRules } from '../ignore-rules.ts'
import { HostNoise } from '../noise/host-noise.ts'
import { deferOrPublish, examineChange } from './examine-change.ts'

export interface ChangeFollowerDependencies {
  feed: ChangeFeed
  reading: PageReaderDependencies
  clock: Clock
  log: Log
}

const CLAIMED_AT_ONCE = 32
/** Longer than examining a batch takes. */
const CLAIM_MS = 300_000
const IDLE_MS = 1000

export class ChangeFollower {
  readonly #dependencies: ChangeFollowerDependencies
  readonly #loop: BackgroundLoop

  constructor(dependencies: ChangeFollowerDependencies) {
    this.#dependencies = dependencies
    const failureText = 'examining changes failed, will retry'
    this.#loop = new BackgroundLoop({ ...dependencies, idleMs: IDLE_MS, failureText })
  }

  stop(): void {
    this.#loop.stop()
  }

  /** Runs until stopped. Failures are retried with backoff. */
  run(): Promise<void> {
    return this.#loop.run(async () => (await this.examineNext()) > 0)
  }

  /** Examines the next changes. Returns how many; 0 if none are waiting. */
  async examineNext(): Promise<number> {
    const { feed } = this.#dependencies
    const pending = await feed.claim(CLAIMED_AT_ONCE, CLAIM_MS)
    const hosts = new BatchHosts(pending)
    const examined: ExaminedChange[] = []
    for (const change of pending) {
      // The rest is claimed again later.
      if (this.#loop.isStopped) break
      examined.push(await this.#examine(change, hosts))
      await yieldToEventLoop()
    }
    if (examined.length > 0) await feed.finish(examined, hosts.updates())
    return pending.length
  }

  /** A change that cannot be examined must not keep the others from being published. */
  async #examine(change: PendingChange, hosts: BatchHosts): Promise<ExaminedChange> {
    const { reading, clock, log } = this.#dependencies
    try {
      return await examineChange(change, hosts.rulesOf(change), reading, clock.now())
    } catch (error) {
      const { code, message } = asAppError(error)
      log.warn('a change could not be examined', { code, message, change: change.id })
      return deferOrPublish(change, clock.now())
    }
  }
}

/** The rules of the crawls and the noise of the hosts in a batch. */
class BatchHosts {
  readonly #rules = new Map<string, IgnoreRules>()
  readonly #hosts = new Map<string, { change: PendingChange; noise: HostNoise }>()

  constructor(pending: PendingChange[]) {
    for (const change of pending) {
      const { crawlId, hostId, settings, noise } = change
      if (!this.#rules.has(crawlId)) this.#rules.set(crawlId, compileIgnoreRules(settings))
      const key = `${crawlId} ${hostId}`
      if (!this.#hosts.has(key)) this.#hosts.set(key, { change, noise: new HostNoise(noise) })
    }
  }

  rulesOf({ crawlId, hostId, settings, noise, isRepeated }: PendingChange): ComparisonRules {
    return {
      isRepeated,
      rules: this.#rules.get(crawlId) ?? compileIgnoreRules(settings),
      noise: this.#hosts.get(`${crawlId} ${hostId}`)?.noise ?? new HostNoise(noise),
    }
  }

  /** Updates for hosts about which something was learned. */
  updates(): NoiseUpdate[] {
    return [...this.#hosts.values()].flatMap(({ change, noise }) => {
      const after = noise.toJson()
      const { crawlId, hostId, noise: before } = change
      return after === (before ?? '[]') ? [] : [{ crawlId, hostId, before, after }]
    })
  }
}
