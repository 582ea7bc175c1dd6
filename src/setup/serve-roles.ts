// Long-running processes: a server with its roles, and a fleet of local workers.

import { hostname } from 'node:os'
import { openArchiveReader } from '../archive/archive-reader.ts'
import { findIgnoredVariables } from '../compat/crawl-runs/environment.ts'
import { type Config, SCHEMA } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import { readHeapSizes } from '../lib/threads.ts'
import type { Workers } from '../ports/workers.ts'
import { Fleet } from '../worker/fleet/fleet.ts'
import { checkAddress } from '../worker/health/address.ts'
import { memoryMetrics, uploadMetrics } from '../worker/health/metrics.ts'
import { runRoles } from '../worker/run-roles.ts'
import type { RunningApi } from './api-server.ts'
import { startChildProcess } from './child-process.ts'
import { CrawlRuntime } from './crawl-runtime.ts'
import type { IndexerRole } from './indexer-role.ts'
import { archiveFolder } from './open-archive-writer.ts'
import { openStore, readDamage } from './store.ts'
import { HEARTBEAT_INTERVAL_MS, newWorkerId, storeRetryMs, toRoleCrawl } from './worker-process.ts'

export interface ProcessOptions {
  version: string
  /** Called with the URL of the API when it listens. */
  onOpen?: ((address: string) => void) | undefined
  /** Registers a callback for the end of the process; the returned function unregisters it. */
  onInterrupt: (callback: () => void) => () => void
}

export async function serveRoles(config: Config, { version, onInterrupt, onOpen }: ProcessOptions): Promise<void> {
  const id = newWorkerId()
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const address = config.address === null ? null : checkAddress(config.address)
  for (const { variable, why } of findIgnoredVariables(process.env, config.roles.includes('api'))) {
    log.warn('environment variable ignored', { variable, why })
  }
  const crawlRuntime = await CrawlRuntime.open(config, id, { create: true })
  const archiveReader = openArchiveReader(archiveFolder(config))
  let removeHandlers: () => void = () => undefined
  let api: RunningApi | null = null
  let indexerRole: IndexerRole | null = null
  let isStopping = false
  try {
    await crawlRuntime.shareStore(config.roles, log)
    await crawlRuntime.diskHold.start()
    crawlRuntime.memoryHold.start(log)
    crawlRuntime.uploadHold.setLog(log)
    // Uploads what a killed process left, even if no crawl is running, and fails now if the bucket is wrong.
    if (config.archiveStore.length > 0 && config.roles.includes('worker')) await crawlRuntime.openArchive()
    if (config.roles.includes('indexer')) {
      const { startIndexerRole } = await import('./indexer-role.ts')
      indexerRole = await startIndexerRole(config, {
        store: crawlRuntime.store,
        holds: crawlRuntime.holds,
        workers: crawlRuntime.workers,
        id,
        log,
      })
    }
    await runRoles(
      {
        id,
        name: `${hostname()}:${process.pid}`,
        version,
        beatMs: HEARTBEAT_INTERVAL_MS,
        patienceMs: storeRetryMs(config),
        graceMs: config.grace,
        roles: config.roles,
        health: {
          host: config.healthHost,
          port: config.healthPort,
          // A port that was not chosen must not prevent a second process on this machine.
          mayUseOtherPort: config.healthPort === SCHEMA.healthPort.default,
          secret: config.healthSecret,
        },
        address,
      },
      {
        workers: crawlRuntime.workers,
        revisits: crawlRuntime.revisits,
        crawls: crawlRuntime.crawls,
        holds: crawlRuntime.holds,
        // The API reports the metrics of the whole index.
        async moreMetrics() {
          const index = config.roles.includes('api') ? [] : (indexerRole?.metrics() ?? [])
          const uploads = crawlRuntime.uploadHold.lastStatus
          const upload = uploads === null ? [] : uploadMetrics(uploads)
          return [...memoryMetrics(config.memory, await readHeapSizes()), ...upload, ...index]
        },
        rawRecord: archiveReader.readRaw,
        damage: () => readDamage(config, crawlRuntime.store),
        beginCrawl: async (crawl) =>
          toRoleCrawl(await crawlRuntime.startCrawl(crawl, { log }), crawlRuntime.diskHold.failure),
        onDrained: () => crawlRuntime.writeNoWorkerNote(),
        clock: systemClock,
        log,
        onStop: (stop) => {
          const beginStop = () => {
            isStopping = true
            stop()
          }
          const removeInterruptHandler = onInterrupt(beginStop)
          process.on('disconnect', beginStop)
          removeHandlers = () => {
            removeInterruptHandler()
            process.off('disconnect', beginStop)
          }
        },
        async onOpen(metrics) {
          if (!config.roles.includes('api')) return async () => []
          const { openApiServer } = await import('./api-server.ts')
          api = await openApiServer({
            config,
            version,
            log,
            metrics,
            checksResponses: false,
            store: crawlRuntime.store,
            isStopping: () => isStopping,
            localHoldReason: () => (config.store === null ? crawlRuntime.holds.reason : null),
            openArchive: () => crawlRuntime.openArchive(),
            onMemoryPressure: (clear) => crawlRuntime.memoryHold.addCache(clear),
          })
          crawlRuntime.announceAddress(api.address)
          log('API listening', { address: api.address })
          onOpen?.(api.address)
          return api.metrics
        },
      },
    )
  } finally {
    await (api as RunningApi | null)?.stop(config.grace)
    await indexerRole?.stop()
    removeHandlers()
    await archiveReader.close()
    const failure = await crawlRuntime.close()
    if (failure !== null) log.warn('archive retention failed', { why: failure.message })
  }
}

/** All worker processes share one archive folder. */
export async function runFleet(config: Config, { onInterrupt }: ProcessOptions): Promise<void> {
  const store = await openStore(config, true)
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const workers = store.client.service<Workers>('workers')
  const start = () => startChildProcess(config, ['worker', '--health-port', '0'], { log, showsOutput: true })
  const fleet = new Fleet({ min: config.min, max: config.max }, { workers, start, clock: systemClock, log })
  const removeHandler = onInterrupt(() => fleet.stop())
  try {
    await fleet.run()
  } finally {
    removeHandler()
    await store.close()
  }
}
