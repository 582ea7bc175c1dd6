// Runs the audits of a server on a thread that exists only while one runs.

import { AuditRunner } from '../audit/audit-runner.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Audits } from '../ports/audits.ts'
import { type AuditorService, startAuditThread } from './audit-thread.ts'

export interface OpenAuditRunner {
  runner: AuditRunner
  close(): Promise<void>
}

export function openAuditRunner(config: Config, store: ServiceThread, log: Log): OpenAuditRunner {
  let thread: Promise<ServiceThread> | null = null
  const closeThread = async () => {
    const open = thread
    thread = null
    await (await open?.catch(() => null))?.close()
  }
  const runner = new AuditRunner({
    audits: store.client.service<Audits>('audits'),
    async run(request) {
      thread ??= startAuditThread(config, store)
      return (await thread).client.service<AuditorService>('auditor').run(request)
    },
    onIdle: closeThread,
    clock: systemClock,
    log,
  })
  return {
    runner,
    async close() {
      const stopped = runner.stop()
      await closeThread()
      await stopped
    },
  }
}
