// The entry point of the audit thread, which reads a crawl and its archive without holding up the API or the crawl.

import type { MessagePort } from 'node:worker_threads'
import { RULES } from '../audit/rules.ts'
import { runAudit } from '../audit/run-audit.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { RpcClient } from '../lib/rpc.ts'
import { type ServiceThread, serveOnThread, startServiceThread } from '../lib/service-thread.ts'
import { lowerPriority } from '../lib/threads.ts'
import type { AuditSummary, Audits } from '../ports/audits.ts'
import { openReadSession } from './read-session.ts'

interface AuditThreadSettings {
  config: Config
  /** Serves the store. */
  store: MessagePort
}

export interface AuditorService {
  run(request: { auditId: number; crawlId: string }): Promise<AuditSummary | null>
}

export function startAuditThread(config: Config, store: Pick<ServiceThread, 'connect'>): Promise<ServiceThread> {
  const port = store.connect()
  const settings: AuditThreadSettings = { config, store: port }
  return startServiceThread('audit', new URL('./audit-thread.ts', import.meta.url), settings, [port])
}

serveOnThread<AuditThreadSettings>(async ({ config, store }) => {
  lowerPriority(10)
  const client = new RpcClient(store)
  const session = await openReadSession(config)
  const { crawls, urls, pages, archive } = session
  const audits = client.service<Audits>('audits')
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const auditor: AuditorService = {
    run(request) {
      const dependencies = { crawls, urls, pages, archive, audits, clock: systemClock, rules: RULES }
      const run = runAudit({ ...request, signal: stopping.signal }, dependencies)
      running = run.catch(() => undefined)
      return run
    },
  }
  return {
    services: { auditor },
    async close() {
      stopping.abort()
      await running
      client.close()
      await session.close()
    },
  }
})
