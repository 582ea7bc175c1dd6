import { WORKER_STATES, type WorkerFigures, type WorkerRow } from '../../ports/workers.ts'

/** Fields that older versions do not report. */
const DEFAULT_FIGURES: Partial<WorkerFigures> = { crawls: [] }

export function toWorkerRow(row: Record<string, unknown>): WorkerRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    version: String(row['version']),
    address: row['address'] as string | null,
    startedAt: Number(row['started_at']),
    figures: { ...DEFAULT_FIGURES, ...(JSON.parse(String(row['figures'])) as WorkerFigures) },
    state: WORKER_STATES.find((state) => state === row['state']) ?? 'lost',
    seenAt: Number(row['seen_at']),
    note: row['note'] as string | null,
  }
}
