// Processes that stay: roles on a store, and fleets of them on this machine.

import { type StdioOptions, spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { unreadVariables } from '../api/dialects/runs/variables.ts'
import { type Config, envOf } from '../config/schema.ts'
import { FLEET_SETTINGS } from '../config/worker-settings.ts'
import { openReader as openArchiveReader } from '../content/reader.ts'
import { systemClock } from '../lib/clock.ts'
import { type Log, openLog } from '../lib/log.ts'
import { heapFigures } from '../lib/threads.ts'
import type { Workers } from '../ports/workers.ts'
import { checkAddress } from '../worker/address.ts'
import { Fleet, type Hand } from '../worker/fleet.ts'
import { memoryMetrics } from '../worker/metrics.ts'
import { serve } from '../worker/serve.ts'
import type { RunningApi } from './api.ts'
import { archiveFolder } from './archive.ts'
import type { Indexing } from './indexing.ts'
import { BEAT_MS, newWorkerId, patienceOf, roleShift } from './process.ts'
import { damageOf, openStore } from './store.ts'
import { Workshop } from './workshop.ts'

export interface ProcessParts {
  version: string
  /** Told where the API is, once it listens. */
  onOpen?: ((address: string) => void) | undefined
  /** Calls back when the process shall end; the function returned takes that back. */
  onInterrupt: (callback: () => void) => () => void
}

export async function serveRoles(config: Config, { version, onInterrupt, onOpen }: ProcessParts): Promise<void> {
  const id = newWorkerId()
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const address = config.address === null ? null : checkAddress(config.address)
  for (const { variable, why } of unreadVariables(process.env, config.roles.includes('api'))) {
    log.warn('variable not read', { variable, why })
  }
  const workshop = await Workshop.open(config, id, true)
  const kept = openArchiveReader(archiveFolder(config))
  let forget: () => void = () => undefined
  let api: RunningApi | null = null
  let indexing: Indexing | null = null
  let isStopping = false
  try {
    await workshop.disk.start()
    workshop.memory.start(log)
    if (config.roles.includes('indexer')) {
      const { startIndexing } = await import('./indexing.ts')
      indexing = await startIndexing(config, { holds: workshop.holds, workers: workshop.workers, id, log })
    }
    await serve(
      {
        id,
        name: `${hostname()}:${process.pid}`,
        version,
        beatMs: BEAT_MS,
        patienceMs: patienceOf(config),
        graceMs: config.grace,
        roles: config.roles,
        health: { host: config.healthHost, port: config.healthPort, secret: config.healthSecret },
        address,
      },
      {
        workers: workshop.workers,
        crawls: workshop.crawls,
        holds: workshop.holds,
        // The API tells the same of the whole index.
        async moreMetrics() {
          const index = config.roles.includes('api') ? [] : (indexing?.metrics() ?? [])
          return [...memoryMetrics(config.memory, await heapFigures()), ...index]
        },
        rawRecord: kept.raw,
        damage: () => damageOf(config, workshop.store),
        beginShift: async (crawl) => roleShift(await workshop.begin(crawl, log), workshop.disk.trouble),
        onDrained: () => workshop.noteNoWorker(),
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
          const { openApi } = await import('./api.ts')
          api = await openApi({
            ...{ config, version, log, metrics, checksAnswers: false, store: workshop.store },
            isStopping: () => isStopping,
            heldHere: () => (config.store === null ? workshop.holds.held : null),
            openArchive: () => workshop.openArchive(),
            onMemoryShort: (clear) => workshop.memory.addCache(clear),
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
    const failure = await workshop.close()
    if (failure !== null) log.warn('archive not tidied', { why: failure.message })
  }
}

/** All processes keep pages in the same folder. */
export async function runFleet(config: Config, { onInterrupt }: ProcessParts): Promise<void> {
  const store = await openStore(config, true)
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const workers = store.client.service<Workers>('workers')
  const start = () => startWorker(config, log)
  const fleet = new Fleet({ min: config.min, max: config.max }, { workers, start, clock: systemClock, log })
  const forget = onInterrupt(() => fleet.stop())
  try {
    await fleet.run()
  } finally {
    forget()
    await store.close()
  }
}

function startWorker(config: Config, log: Log): Hand {
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
