// Runs the audits that users of a process ask for, one after another.

import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { AUDIT_LOST_AFTER_MS, type Audit, type AuditEnd, type AuditSummary, type Audits } from '../ports/audits.ts'

export interface AuditRunnerDependencies {
  audits: Pick<Audits, 'begin' | 'end' | 'latest'>
  /** Null if the audit was cancelled or replaced, or if the process stops. */
  run(request: { auditId: number; crawlId: string }): Promise<AuditSummary | null>
  /** Called when no audit is left to run. */
  onIdle(): Promise<void>
  clock: Clock
  log: Log
}

/** Whether a process is working on the audit. */
export function isAuditRunning({ state, updatedAt }: Audit, now: number): boolean {
  return state === 'running' && now - updatedAt < AUDIT_LOST_AFTER_MS
}

export class AuditRunner {
  readonly #dependencies: AuditRunnerDependencies
  readonly #waiting = new Set<string>()
  #running: Promise<void> | null = null
  #isStopped = false

  constructor(dependencies: AuditRunnerDependencies) {
    this.#dependencies = dependencies
  }

  /** Does nothing if an audit of the crawl runs or waits already. */
  async start(crawlId: string): Promise<void> {
    const { audits, clock } = this.#dependencies
    const { last } = await audits.latest(crawlId)
    if (this.#isStopped || (last !== null && isAuditRunning(last, clock.now()))) return
    this.#waiting.add(crawlId)
    this.#running ??= this.#runAll()
  }

  isWaiting(crawlId: string): boolean {
    return this.#waiting.has(crawlId)
  }

  /** Returns whether it waited. */
  cancelWaiting(crawlId: string): boolean {
    return this.#waiting.delete(crawlId)
  }

  /** The caller makes `run` return. An unfinished audit is cancelled. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting.clear()
    await this.#running
  }

  async #runAll(): Promise<void> {
    for (const crawlId of this.#waiting) await this.#runOne(crawlId)
    this.#running = null
    if (!this.#isStopped) await this.#dependencies.onIdle()
  }

  async #runOne(crawlId: string): Promise<void> {
    const { audits, run, clock, log } = this.#dependencies
    try {
      const auditId = await audits.begin(crawlId, clock.now())
      this.#waiting.delete(crawlId)
      if (auditId === null) return
      const end = await run({ auditId, crawlId }).then(toEnd, (error: unknown): AuditEnd => {
        const { code, message } = asAppError(error)
        log.warn('audit failed', { crawl: crawlId, code, message })
        return { state: 'failed', problem: message }
      })
      await audits.end(auditId, end, clock.now())
    } catch (error) {
      const { code, message } = asAppError(error)
      log.warn('audit could not be stored', { crawl: crawlId, code, message })
      this.#waiting.delete(crawlId)
    }
  }
}

function toEnd(summary: AuditSummary | null): AuditEnd {
  return summary === null ? { state: 'cancelled' } : { state: 'finished', summary }
}
