// Runs an audit and waits for its end.

import type { ClientResponse } from '../../api/client.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { AuditStage } from '../../ports/audits.ts'
import { groupDigits } from '../format/units.ts'
import type { Io } from '../io.ts'
import type { AuditClient } from './audit-client.ts'

export type AuditResponse = ClientResponse<'getAudit'>

const POLL_MS = 250
const PRINT_MS = 5000

const STAGE_TEXTS: Record<AuditStage, string> = {
  urls: 'Reading URLs',
  links: 'Reading links',
  pages: 'Examining archived pages',
  findings: 'Collecting findings',
}

/** Null if the wait was interrupted. */
export async function awaitAudit(
  client: AuditClient,
  crawlId: string,
  { io, isQuiet }: { io: Pick<Io, 'stderr' | 'onInterrupt'>; isQuiet: boolean },
): Promise<AuditResponse | null> {
  const params = { crawl_id: crawlId }
  let isInterrupted = false
  const unregister = io.onInterrupt(() => {
    isInterrupted = true
  })
  try {
    let audit = await client.startAudit({ params })
    for (let printedAt = systemClock.now(); isInProgress(audit); audit = await client.getAudit({ params })) {
      if (isInterrupted) {
        await client.cancelAudit({ params })
        return null
      }
      if (!isQuiet && systemClock.now() - printedAt >= PRINT_MS) {
        printedAt = systemClock.now()
        io.stderr.write(`${progressText(audit)}\n`)
      }
      await sleep(systemClock, POLL_MS)
    }
    if (audit.run !== null) throw new AppError('AUDIT_FAILED', endText(audit.run))
    return audit
  } finally {
    unregister()
  }
}

function isInProgress({ run }: AuditResponse): boolean {
  return run?.state === 'running' || run?.state === 'waiting'
}

function progressText({ run }: AuditResponse): string {
  if (run?.stage == null) return 'Waiting for the audit of another crawl.'
  return `${STAGE_TEXTS[run.stage]}: ${groupDigits(run.done)} of ${groupDigits(run.total)}`
}

function endText({ state, problem }: NonNullable<AuditResponse['run']>): string {
  if (state === 'failed') return `The audit failed: ${problem}`
  return state === 'cancelled' ? 'The audit was cancelled.' : 'The audit was interrupted. Start it again.'
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve)
  })
}
