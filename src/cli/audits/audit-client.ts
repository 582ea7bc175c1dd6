// The routes of audits for the command line: of a server, or on a store that this process opens.

import type { Client } from '../../api/client.ts'
import { createLocalClient } from '../../api/local-client.ts'
import { auditHandlers } from '../../api/routes/audits.ts'
import { AuditRunner } from '../../audit/audit-runner.ts'
import { findingsToCsv } from '../../audit/findings-csv.ts'
import { RULES } from '../../audit/rules.ts'
import { runAudit } from '../../audit/run-audit.ts'
import type { Config } from '../../config/schema.ts'
import { systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import type { Io } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'

type AuditRoute = 'getAudit' | 'startAudit' | 'cancelAudit' | 'listAuditFindings'

export interface AuditClient extends Pick<Client, AuditRoute> {
  /** Resolves the start of an id. */
  findCrawlId(prefix: string): Promise<string>
  /** Exports the findings of one rule, or of all. */
  exportCsv(crawlId: string, rule: string | null): AsyncIterable<string | Buffer>
}

export async function withAuditClient(
  config: Config,
  io: Io,
  run: (client: AuditClient) => Promise<number>,
): Promise<number> {
  const client = createServerClient(config)
  if (client === null) return withLocalAuditClient(config, io, run)
  const remote: AuditClient = {
    ...client,
    findCrawlId: (prefix) => findCrawlId(client, prefix),
    exportCsv: (crawlId, rule) => downloadCsv(client, crawlId, rule),
  }
  return callServer(client, () => run(remote))
}

export async function withLocalAuditClient<T>(
  config: Config,
  io: Pick<Io, 'openControlSession' | 'openReadSession'>,
  run: (client: AuditClient) => Promise<T>,
): Promise<T> {
  const controlSession = await io.openControlSession(config, false)
  const readSession = await io.openReadSession(config)
  const stopping = new AbortController()
  const { crawls, audits } = controlSession
  const auditRunner = new AuditRunner({
    audits,
    run(request) {
      const dependencies = { ...readSession, audits, clock: systemClock, rules: RULES }
      return runAudit({ ...request, signal: stopping.signal }, dependencies)
    },
    onIdle: async () => undefined,
    clock: systemClock,
    log: silentLog,
  })
  try {
    const { exportAudit: _, ...handlers } = auditHandlers({ crawls, audits, auditRunner, clock: systemClock })
    return await run({
      ...createLocalClient<AuditRoute>(handlers),
      findCrawlId: async (prefix) => (await crawls.find(prefix)).id,
      async *exportCsv(crawlId, rule) {
        const id = (await audits.latest(crawlId)).finished?.id ?? 0
        const rules = RULES.filter(({ name }) => rule === null || rule === name)
        yield* findingsToCsv(rules, (name, skip, limit) => audits.findings(id, name, skip, limit))
      },
    })
  } finally {
    stopping.abort()
    await auditRunner.stop()
    await readSession.close()
    await controlSession.close()
  }
}

async function* downloadCsv(client: Client, crawlId: string, rule: string | null): AsyncGenerator<Buffer> {
  const params = { crawl_id: crawlId }
  const { body } = await client.exportAudit({ params, query: rule === null ? {} : { rule } })
  if (body !== null) for await (const chunk of body) yield Buffer.from(chunk)
}
