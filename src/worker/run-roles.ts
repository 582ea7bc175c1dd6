// Runs the roles that a process was given until it is told to stop: worker, maintenance, and the health port of both.

import type { Role } from '../config/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Metric } from '../lib/metrics.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { Workers } from '../ports/workers.ts'
import { announceArchiveNode } from './fleet/archive-node.ts'
import { Maintenance } from './fleet/maintenance.ts'
import { WorkerRole, type WorkerRoleDependencies, type WorkerRoleSettings } from './fleet/worker-role.ts'
import { addressOf, isReachable } from './health/address.ts'
import { serveHealth } from './health/health-server.ts'
import { fleetMetrics, workerMetrics } from './health/metrics.ts'
import type { RecordSource } from './health/record-route.ts'

export interface RunRolesSettings extends WorkerRoleSettings {
  roles: readonly Role[]
  /** `secret`: null when callers need none. */
  health: { host: string; port: number; secret: string | null }
  /** Where others reach the health port; null: to be found from the port itself. */
  address: string | null
}

export interface RunRolesDependencies extends RecordSource {
  workers: Workers
  crawls: Pick<Crawls, 'list' | 'addActiveTime' | 'setPaused'>
  beginCrawl: WorkerRoleDependencies['beginCrawl']
  holds: WorkerRoleDependencies['holds']
  clock: Clock
  log: Log
  /** Calls back when the process shall end. */
  onStop: (stop: () => void) => void
  /** Called when the worker has left and the process goes on without it. */
  onDrained: () => void
  /** What was found to be damaged in the store, if anything. */
  damage(): Promise<string | null>
  /** Of the process, and of other roles. */
  moreMetrics: () => Promise<Metric[]>
  /** Called once the health port is open; what it starts is the caller's to end. Answers what that has to tell. */
  onOpen: (metrics: () => Promise<Metric[]>) => Promise<() => Promise<Metric[]>>
}

/** Beats come every second. */
const STORE_SILENT_MS = 5_000
/** Prometheus gives up after ten seconds, and the figures of this process need no store. */
const FLEET_TIMEOUT_MS = 3_000

export async function runRoles(settings: RunRolesSettings, dependencies: RunRolesDependencies): Promise<void> {
  const { workers, crawls, log, onStop } = dependencies
  const role = settings.roles.includes('worker') ? new WorkerRole(settings, dependencies) : null
  const maintenance = settings.roles.includes('maintenance') ? new Maintenance(dependencies) : null
  const isStoreUp = () => role === null || role.silentMs < STORE_SILENT_MS
  const stopped = Promise.withResolvers<void>()
  let isStopping = false
  onStop(() => {
    isStopping = true
    role?.stop()
    stopped.resolve()
  })
  const metrics = async () => {
    const own = [
      ...(role === null ? [] : workerMetrics(role.counts(), isStoreUp())),
      ...(await dependencies.moreMetrics()),
    ]
    if (maintenance === null || !isStoreUp()) return own
    const view = await withTimeout(Promise.all([workers.list(), crawls.list(), workers.backlog()]), dependencies.clock)
    if (view === null) return own
    const [rows, progress, backlog] = view
    return [
      ...own,
      ...fleetMetrics({ rows, crawls: progress, backlog, ...maintenance.counts, maintenance: maintenance.durations }),
    ]
  }
  let openMetrics: () => Promise<Metric[]> = async () => []
  const hosts = settings.address === null ? [] : [new URL(settings.address).hostname]
  const health = await serveHealth(
    { ...settings.health, hosts: [...hosts, settings.health.host] },
    {
      async notReadyReason() {
        if (role?.isLeaving) return 'draining'
        if ((await withTimeout(dependencies.damage(), dependencies.clock)) !== null)
          return 'the store is damaged; see docs/recovery.md'
        return isStoreUp() ? null : 'the store does not answer'
      },
      rawRecord: dependencies.rawRecord,
      metrics: async () => [...(await metrics()), ...(await openMetrics())],
    },
  )
  const address = settings.address ?? addressOf(settings.health.host, health.port)
  role?.setAddress(address)
  if (settings.health.secret === null && isReachable(addressOf(settings.health.host, health.port), false)) {
    log.warn('health port is open to others', { why: 'there is no --health-secret', host: settings.health.host })
  }
  log('health port open', { host: settings.health.host, port: health.port, address })
  const isKeeper = role === null && settings.roles.includes('api')
  const stopKeeping = isKeeper
    ? announceArchiveNode({ id: settings.id, name: settings.name, address }, dependencies)
    : null
  maintenance?.start()
  try {
    openMetrics = await dependencies.onOpen(metrics)
    // What goes wrong before this is told by the program, to whom has started it; from now on by the log as well.
    await role?.run().catch((error: unknown) => {
      log.error('worker failed', { message: asAppError(error).message })
      throw error
    })
    if (role !== null && !settings.roles.includes('api')) return
    // A worker that was told to drain leaves the API behind.
    if (role !== null && !isStopping) dependencies.onDrained()
    await stopped.promise
  } finally {
    stopKeeping?.()
    maintenance?.stop()
    await health.close()
  }
}

/** Null when it takes longer: calls wait while the store is away. */
async function withTimeout<T>(work: Promise<T>, clock: Clock): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const cancel = clock.after(FLEET_TIMEOUT_MS, () => late.resolve(null))
  return Promise.race([work, late.promise]).finally(cancel)
}
