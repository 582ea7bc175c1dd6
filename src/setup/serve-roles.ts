// Processes that stay: roles on a store, and fleets of them on this machine.

import { type StdioOptions, spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { openArchiveReader } from '../archive/archive-reader.ts'
import { findIgnoredVariables } from '../compat/crawl-runs/environment.ts'
import { type Config, envOf } from '../config/schema.ts'
import { FLEET_SETTINGS } from '../config/setting-groups.ts'
import { systemClock } from '../lib/clock.ts'
import { type Log, openLog } from '../lib/log.ts'
import { readHeapSizes } from '../lib/threads.ts'
import type { Workers } from '../ports/workers.ts'
import { Fleet, type LocalWorker } from '../worker/fleet/fleet.ts'
import { checkAddress } from '../worker/health/address.ts'
import { memoryMetrics } from '../worker/health/metrics.ts'
import { runRoles } from '../worker/run-roles.ts'
import type { RunningApi } from './api-server.ts'
import { archiveFolder } from './archive.ts'
import { CrawlRuntime } from './crawl-runtime.ts'
import type { IndexerRole } from './indexer-role.ts'
import { openStore, readDamage } from './store.ts'
import { HEARTBEAT_INTERVAL_MS, newWorkerId, storeRetryMs, toRoleCrawl } from './worker-process.ts'

export interface ProcessOptions {
  version: string
  /** Told where the API is, once it listens. */
  onOpen?: ((address: string) => void) | undefined
  /** Calls back when the process shall end; the function returned takes that back. */
  onInterrupt: (callback: () => void) => () => void
}

export async function serveRoles(config: Config, { version, onInterrupt, onOpen }: ProcessOptions): Promise<void> {
  const id = newWorkerId()
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const address = config.address === null ? null : checkAddress(config.address)
  for (const { variable, why } of findIgnoredVariables(process.env, config.roles.includes('api'))) {
    log.warn('variable not read', { variable, why })
  }
  const crawlRuntime = await CrawlRuntime.open(config, id, true)
  const kept = openArchiveReader(archiveFolder(config))
  let forget: () => void = () => undefined
  let api: RunningApi | null = null
  let indexing: IndexerRole | null = null
  let isStopping = false
  try {
    await crawlRuntime.diskWatch.start()
    crawlRuntime.memoryWatch.start(log)
    if (config.roles.includes('indexer')) {
      const { startIndexerRole } = await import('./indexer-role.ts')
      indexing = await startIndexerRole(config, { holds: crawlRuntime.holds, workers: crawlRuntime.workers, id, log })
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
        health: { host: config.healthHost, port: config.healthPort, secret: config.healthSecret },
        address,
      },
      {
        workers: crawlRuntime.workers,
        crawls: crawlRuntime.crawls,
        holds: crawlRuntime.holds,
        // The API tells the same of the whole index.
        async moreMetrics() {
          const index = config.roles.includes('api') ? [] : (indexing?.metrics() ?? [])
          return [...memoryMetrics(config.memory, await readHeapSizes()), ...index]
        },
        rawRecord: kept.readRaw,
        damage: () => readDamage(config, crawlRuntime.store),
        beginCrawl: async (crawl) =>
          toRoleCrawl(await crawlRuntime.startCrawl(crawl, log), crawlRuntime.diskWatch.failure),
        onDrained: () => crawlRuntime.writeNoWorkerNote(),
        clock: systemClock,
        log,
        onStop: (stop) => {
          const begin = () => {
            isStopping = true
            stop()
          }
          const forgetInterrupt = onInterrupt(begin)
          process.on('disconnect', begin)
          forget = () => {
            forgetInterrupt()
            process.off('disconnect', begin)
          }
        },
        async onOpen(metrics) {
          if (!config.roles.includes('api')) return async () => []
          const { openApiServer } = await import('./api-server.ts')
          api = await openApiServer({
            ...{ config, version, log, metrics, checksResponses: false, store: crawlRuntime.store },
            isStopping: () => isStopping,
            localHoldReason: () => (config.store === null ? crawlRuntime.holds.held : null),
            openArchive: () => crawlRuntime.openArchive(),
            onMemoryPressure: (clear) => crawlRuntime.memoryWatch.addCache(clear),
          })
          log('api open', { address: api.address })
          onOpen?.(api.address)
          return api.metrics
        },
      },
    )
  } finally {
    await (api as RunningApi | null)?.stop(config.grace)
    await indexing?.stop()
    forget()
    await kept.close()
    const failure = await crawlRuntime.close()
    if (failure !== null) log.warn('archive not tidied', { why: failure.message })
  }
}

/** All processes keep pages in the same folder. */
export async function runFleet(config: Config, { onInterrupt }: ProcessOptions): Promise<void> {
  const store = await openStore(config, true)
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const workers = store.client.service<Workers>('workers')
  const start = () => startLocalWorker(config, log)
  const fleet = new Fleet({ min: config.min, max: config.max }, { workers, start, clock: systemClock, log })
  const forget = onInterrupt(() => fleet.stop())
  try {
    await fleet.run()
  } finally {
    forget()
    await store.close()
  }
}

function startLocalWorker(config: Config, log: Log): LocalWorker {
  const args = [...process.execArgv, process.argv[1] ?? '', 'worker', '--health-port', '0']
  // By the environment: a list of processes shows arguments, and the store's url may have a password.
  const settings = FLEET_SETTINGS.map((name) => [envOf(name), String(config[name] ?? '')])
  const env = { ...process.env, ...Object.fromEntries(settings.filter(([, value]) => value !== '')) }
  // The signal of a Ctrl-C goes to the whole group; the fleet alone shall tell its workers when to end. By the channel
  // they notice when it is gone without a word.
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc']
  const child = spawn(process.execPath, args, { env, stdio, detached: true })
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
    child.once('error', ({ message }) => {
      log.error('worker process not started', { message })
      resolve(null)
    })
  })
  return { pid: child.pid ?? 0, drain: () => child.kill('SIGTERM'), ended }
}
