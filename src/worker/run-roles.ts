// Runs the roles of a process until it is stopped: worker, maintenance, and the health port.

import type { Role } from '../config/process/server.ts'
import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Metric } from '../lib/metrics.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { Revisits } from '../ports/revisits.ts'
import type { Workers } from '../ports/workers.ts'
import { announceArchiveNode } from './fleet/archive-node.ts'
import { FreshnessLoop } from './fleet/freshness-loop.ts'
import { Maintenance } from './fleet/maintenance.ts'
import { WorkerRole, type WorkerRoleDependencies, type WorkerRoleSettings } from './fleet/worker-role.ts'
import { addressOf, isReachable } from './health/address.ts'
import { serveHealth } from './health/health-server.ts'
import { fleetMetrics, workerMetrics } from './health/metrics.ts'
import type { RecordSource } from './health/record-route.ts'

export interface RunRolesSettings extends WorkerRoleSettings {
  roles: readonly Role[]
  /** `secret` is null if callers need none. */
  health: { host: string; port: number; mayUseOtherPort: boolean; secret: string | null }
  /** Address at which others reach the health port; null to derive it from host and port. */
  address: string | null
}

export interface RunRolesDependencies extends RecordSource {
  workers: Workers
  revisits: Revisits
  crawls: Pick<Crawls, 'list' | 'addActiveTime' | 'setPaused'>
  beginCrawl: WorkerRoleDependencies['beginCrawl']
  holds: WorkerRoleDependencies['holds']
  clock: Clock
  log: Log
  /** Registers a callback for the end of the process. */
  onStop: (stop: () => void) => void
  /** Called when the worker has left and the process continues without it. */
  onDrained: () => void
  /** What is damaged in the store; null if no damage is known. */
  damage(): Promise<string | null>
  /** Metrics of the process and of other roles. */
  moreMetrics: () => Promise<Metric[]>
  /** Called once the health port is open. Returns the metrics of whatever it starts; the caller ends that. */
  onOpen: (metrics: () => Promise<Metric[]>) => Promise<() => Promise<Metric[]>>
}

/** Heartbeats are sent every second. */
const STORE_SILENT_MS = 5_000
/** Prometheus times out after ten seconds, and the metrics of this process itself do not need the store. */
const FLEET_TIMEOUT_MS = 3_000

export async function runRoles(settings: RunRolesSettings, dependencies: RunRolesDependencies): Promise<void> {
  const { workers, crawls, log, onStop } = dependencies
  const role = settings.roles.includes('worker') ? new WorkerRole(settings, dependencies) : null
  const maintenance = settings.roles.includes('maintenance') ? new Maintenance(dependencies) : null
  const freshness = settings.roles.includes('maintenance') ? new FreshnessLoop(dependencies) : null
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
          return 'the store is damaged; see docs/guides/recovery.md'
        return isStoreUp() ? null : 'the store does not answer'
      },
      rawRecord: dependencies.rawRecord,
      metrics: async () => [...(await metrics()), ...(await openMetrics())],
    },
  )
  const address = settings.address ?? addressOf(settings.health.host, health.port)
  role?.setAddress(address)
  if (settings.health.secret === null && isReachable(addressOf(settings.health.host, health.port), false)) {
    log.warn('health port is reachable without a secret', {
      why: 'there is no --health-secret',
      host: settings.health.host,
    })
  }
  log('health port open', { host: settings.health.host, port: health.port, address })
  const isArchiveNode = role === null && settings.roles.includes('api')
  const stopAnnouncing = isArchiveNode
    ? announceArchiveNode({ id: settings.id, name: settings.name, address }, dependencies)
    : null
  maintenance?.start()
  freshness?.start()
  try {
    openMetrics = await dependencies.onOpen(metrics)
    // Earlier failures are reported on the command line only; from here on also in the log.
    await role?.run().catch((error: unknown) => {
      log.error('worker failed', { message: asAppError(error).message })
      throw error
    })
    if (role !== null && !settings.roles.includes('api')) return
    // The API keeps running after the worker was drained.
    if (role !== null && !isStopping) dependencies.onDrained()
    await stopped.promise
  } finally {
    stopAnnouncing?.()
    maintenance?.stop()
    freshness?.stop()
    await health.close()
  }
}

/** Null after the timeout: calls to the store wait while it is down. */
async function withTimeout<T>(promise: Promise<T>, clock: Clock): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const cancel = clock.after(FLEET_TIMEOUT_MS, () => late.resolve(null))
  return Promise.race([promise, late.promise]).finally(cancel)
}
