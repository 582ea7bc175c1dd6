// The program: reads the command, builds the store and the crew, and hands them to it. (A crawl thread builds its own
// client and loop, in worker/thread.ts.)

import { readFileSync } from 'node:fs'
import type { Io } from './cli/io.ts'
import { runCli } from './cli/run.ts'
import { EXIT } from './lib/errors.ts'
import { startStoreThread } from './store/sqlite/remote.ts'
import { openReader } from './store/sqlite/store.ts'
import { buildFetcher, readFilterLists } from './worker/build.ts'
import { Crew, recruit } from './worker/crew.ts'

const quit = () => process.exit(EXIT.interrupted)
/** What the first signal does; a further one always quits. */
const interrupt = { first: quit as () => void, count: 0 }

function onSignal(): void {
  interrupt.count += 1
  if (interrupt.count === 1) interrupt.first()
  else {
    process.stderr.write('\nQuit. Nothing is lost: orbweaver resume goes on.\n')
    quit()
  }
}

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  openReader,
  openFetcher: (config) =>
    buildFetcher({ ...config, headers: config.header, timeoutMs: config.timeout, maxBodyBytes: config.maxBody }),
  async checkFilterLists(files) {
    await readFilterLists(files)
  },
  async openWorkshop(config, create) {
    const { seenUrls, lease: leaseMs } = config
    const recruits = recruit(config.threads)
    const dismiss = () => Promise.all(recruits.map((worker) => worker.terminate()))
    const opening = startStoreThread({ dir: config.data, create, leaseMs })
    const store = await opening.catch(async (error: unknown) => {
      await dismiss()
      throw error
    })
    return {
      crawls: store.crawls,
      startCrew: (crawl) => new Crew(recruits, { crawl, seenUrls, leaseMs, connect: store.connect }),
      async close() {
        await dismiss()
        await store.close()
      },
    }
  },
  onInterrupt(callback) {
    interrupt.first = callback
    // Nobody reads any more, as in "| head": the same as being told to stop.
    process.stdout.on('error', callback)
    return () => {
      interrupt.first = quit
      process.stdout.off('error', callback)
    }
  },
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
process.exitCode = await runCli(process.argv.slice(2), version, io)
