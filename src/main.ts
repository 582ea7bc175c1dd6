// The entry point: parses the command line and builds what the command needs. Modules that only some commands use are
// imported on demand. (A crawl thread builds its own HTTP client and loop in worker/threads/crawl-thread.ts.)

import { readFileSync } from 'node:fs'
import type { Io } from './cli/io.ts'
import { runCli } from './cli/run-cli.ts'
import { EXIT } from './lib/errors.ts'
import { clearHeapFlags } from './lib/threads.ts'
import { openers } from './setup/openers.ts'
import { startCrawlThread } from './worker/threads/start-crawl-thread.ts'

const args = process.argv.slice(2)
clearHeapFlags()

// Loading a crawl thread takes longer than reading the command line and opening the store, so the thread is started
// first.
const CRAWLING_COMMANDS = ['crawl', 'resume']
const FLAGS_WITHOUT_THREAD = ['-h', '--help', '--detach', '--server']
const needsCrawlThread =
  CRAWLING_COMMANDS.includes(args[0] ?? '') && !args.some((arg) => FLAGS_WITHOUT_THREAD.includes(arg))
const earlyThread = needsCrawlThread ? startCrawlThread() : null

const quit = () => process.exit(EXIT.interrupted)
/** The first signal calls `first`; any further one quits. */
const interrupt = { first: quit as () => void, count: 0 }

function onSignal(): void {
  interrupt.count += 1
  if (interrupt.count === 1) interrupt.first()
  else {
    process.stderr.write('\nQuit. Nothing is lost: continue with "resume".\n')
    quit()
  }
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// The launcher passes its own name in this variable; it is not a setting.
const { ORBWEAVER_PROGRAM: program = './orbweaver', ...env } = process.env

const io: Io = {
  // A getter, because opening stdin takes time.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env,
  program,
  ...openers,
  async describeBrowser(config) {
    const { describeBrowser } = await import('./setup/renderer.ts')
    return describeBrowser(config)
  },
  async checkBrowser({ browser }) {
    const { findBrowser } = await import('./render/find-browser.ts')
    await findBrowser(browser)
  },
  async checkFilterLists(files) {
    if (files.length === 0) return
    const { loadFilterFiles } = await import('./worker/threads/build-fetcher.ts')
    await loadFilterFiles(files)
  },
  async openCrawlSession(config, create) {
    const { CrawlRuntime } = await import('./setup/crawl-runtime.ts')
    const { newWorkerId } = await import('./setup/worker-process.ts')
    // A terminal that stops reading blocks the thread that writes to it.
    const servesHere = !process.stdout.isTTY && !process.stderr.isTTY
    const crawlRuntime = await CrawlRuntime.open(config, newWorkerId(), { create, earlyThread, servesHere })
    const { crawls, diagnostics } = crawlRuntime
    return {
      crawls,
      diagnostics,
      async startCrawl(crawl) {
        const { startForegroundCrawl } = await import('./setup/start-foreground-crawl.ts')
        return startForegroundCrawl(crawl, { runtime: crawlRuntime, config, version })
      },
      hasOtherWorkers: (crawlId) => crawlRuntime.hasOtherWorkers(crawlId),
      runRetentionStep: () => crawlRuntime.runRetentionStep(),
      uploadStatus: () => crawlRuntime.uploadStatus(),
      async close() {
        const failure = await crawlRuntime.close()
        if (failure === null) return
        process.stderr.write(
          `orbweaver: Retention failed, expired pages are still in the archive: ${failure.message}\n`,
        )
      },
    }
  },
  async serve(config, onOpen) {
    const { serveRoles } = await import('./setup/serve-roles.ts')
    return serveRoles(config, { version, onInterrupt: io.onInterrupt, onOpen })
  },
  async runFleet(config) {
    const { runFleet } = await import('./setup/serve-roles.ts')
    return runFleet(config, { version, onInterrupt: io.onInterrupt })
  },
  async serveMcp(config) {
    const { serveMcp } = await import('./setup/serve-mcp.ts')
    return serveMcp(config, { version, onInterrupt: io.onInterrupt })
  },
  async *drainBuckets(config) {
    const { drainArchive } = await import('./setup/drain-archive.ts')
    yield* drainArchive(config)
  },
  async moveStore(request, onEvent, signal) {
    const { moveStore } = await import('./setup/move-store.ts')
    return moveStore(request, onEvent, signal)
  },
  async openBrowser(url) {
    const { openBrowser } = await import('./cli/open-browser.ts')
    return openBrowser(url)
  },
  onInterrupt(callback) {
    interrupt.first = callback
    // The reader has gone, as with "| head": treat it like Ctrl-C.
    process.stdout.on('error', callback)
    return () => {
      interrupt.first = quit
      process.stdout.off('error', callback)
    }
  },
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)
// The terminal was closed. The shell and the system may both say so, which is no second Ctrl-C.
process.on('SIGHUP', () => {
  if (interrupt.count === 0) onSignal()
})
// A closed log pipe does not stop the work.
process.stderr.on('error', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader or the terminal has gone.
  if (error.code === 'EPIPE' || (error.code === 'EIO' && process.stdout.isTTY)) return
  process.stderr.write(`orbweaver: Cannot write to standard output: ${error.message}\n`)
  process.exit(EXIT.failed)
})

process.exitCode = await runCli(args, version, io)
