// The program: reads the command, builds the store and the crew, and hands them to it. (A crawl thread builds its own
// client and loop, in worker/thread.ts.) What only some commands need is loaded when they ask for it.

import { readFileSync } from 'node:fs'
import type { Io } from './cli/io.ts'
import { runCli } from './cli/run.ts'
import { EXIT } from './lib/errors.ts'
import { startThread } from './worker/start-thread.ts'

const args = process.argv.slice(2)

// To load its code takes a crawl thread longer than all that comes before it, so it begins at once where it will be needed.
const NEEDS_THREAD = ['crawl', 'resume']
const NEEDS_NONE = ['-h', '--help', '--detach', '--server']
const isWork = NEEDS_THREAD.includes(args[0] ?? '') && !args.some((arg) => NEEDS_NONE.includes(arg))
const early = isWork ? startThread() : null

const quit = () => process.exit(EXIT.interrupted)
/** What the first signal does; a further one always quits. */
const interrupt = { first: quit as () => void, count: 0 }

function onSignal(): void {
  interrupt.count += 1
  if (interrupt.count === 1) interrupt.first()
  else {
    process.stderr.write('\nQuit. Nothing is lost: resume goes on where it was.\n')
    quit()
  }
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// The launcher tells how it was called by what looks like a setting, and is none.
const { ORBWEAVER_PROGRAM: program = './orbweaver', ...env } = process.env

const io: Io = {
  // Opened when it is read: that takes its time.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env,
  program,
  async openReader(config) {
    const { openReader } = await import('./setup/reader.ts')
    return openReader(config)
  },
  async openControl(config, create) {
    const { openControl } = await import('./setup/control.ts')
    return openControl(config, create)
  },
  async openSearch(config, pages) {
    const { openSearch } = await import('./setup/search.ts')
    return openSearch(config, pages)
  },
  async openIndexWork(config) {
    const { openIndexWork } = await import('./setup/index-work.ts')
    return openIndexWork(config)
  },
  async openFetcher(config, startUrls) {
    const { buildFetcher } = await import('./worker/build.ts')
    const { header: headers, timeout: timeoutMs, maxBody: maxBodyBytes } = config
    return buildFetcher({ ...config, headers, timeoutMs, maxBodyBytes }, startUrls)
  },
  async checkFilterLists(files) {
    if (files.length === 0) return
    const { readFilterLists } = await import('./worker/build.ts')
    await readFilterLists(files)
  },
  async openWorkshop(config, create) {
    const { Workshop } = await import('./setup/workshop.ts')
    const { newWorkerId } = await import('./setup/process.ts')
    const workshop = await Workshop.open(config, newWorkerId(), create, early)
    const { crawls, manners } = workshop
    return {
      crawls,
      manners,
      async startCrew(crawl) {
        const { startCrew } = await import('./setup/crew.ts')
        return startCrew(crawl, { workshop, config, version })
      },
      hasOthersAtWork: (crawlId) => workshop.hasOthersAtWork(crawlId),
      expire: () => workshop.expire(),
      async close() {
        const failure = await workshop.close()
        if (failure === null) return
        process.stderr.write(`orbweaver: What the archive should drop was not dropped: ${failure.message}\n`)
      },
    }
  },
  async serve(config, onOpen) {
    const { serveRoles } = await import('./setup/serve.ts')
    return serveRoles(config, { version, onInterrupt: io.onInterrupt, onOpen })
  },
  async runFleet(config) {
    const { runFleet } = await import('./setup/serve.ts')
    return runFleet(config, { version, onInterrupt: io.onInterrupt })
  },
  async move(request, onEvent, signal) {
    const { move } = await import('./setup/move.ts')
    return move(request, onEvent, signal)
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
// Nobody reads the log any more; the work goes on.
process.stderr.on('error', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`orbweaver: Standard output cannot be written: ${error.message}\n`)
  process.exit(EXIT.failed)
})

process.exitCode = await runCli(args, version, io)
