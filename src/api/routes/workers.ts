// Handlers for the workers of the store.

import { AppError } from '../../lib/errors.ts'
import { isLastWorker, type Workers } from '../../ports/workers.ts'
import type { ApiDependencies, Handler, HandlersFor } from '../handlers.ts'
import { workerJson } from '../views/row-json.ts'

export function listWorkersHandler({ workers }: { workers: Pick<Workers, 'list'> }): Handler<'listWorkers'> {
  return async () => {
    const rows = await workers.list()
    return { items: rows.map(workerJson), next_cursor: null, total: rows.length }
  }
}

export function workerHandlers({
  workers,
}: Pick<ApiDependencies, 'workers'>): HandlersFor<'listWorkers' | 'drainWorker'> {
  return {
    listWorkers: listWorkersHandler({ workers }),
    async drainWorker({ params, body }) {
      const rows = await workers.list()
      const row = rows.find(({ id }) => id === params.worker_id)
      if (row === undefined) throw new AppError('WORKER_NOT_FOUND', `There is no worker ${params.worker_id}.`)
      if (!body.force && isLastWorker(rows, row.id)) throw lastWorkerError(row.id)
      await workers.drain(row.id, 'requested over the API')
      const current = (await workers.list()).find(({ id }) => id === row.id)
      return workerJson(current ?? row)
    },
  }
}

export function lastWorkerError(id: string): AppError {
  return new AppError(
    'LAST_WORKER',
    `${id} is the only worker. If it is drained, all crawls wait until another is started.`,
  )
}
