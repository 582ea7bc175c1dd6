// The program: reads the command, builds the store and the crew, and hands them to it. (A crawl thread builds its own
// client and loop, in worker/thread.ts.)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from './cli/io.ts'
import { runCli } from './cli/run.ts'
import type { Config } from './config/schema.ts'
import { openReader as openArchiveReader } from './content/reader.ts'
import { startArchiveThread } from './content/remote.ts'
import { verifySegments } from './content/verify.ts'
import { EXIT } from './lib/errors.ts'
import type { ServiceThread } from './lib/service-thread.ts'
import type { Crawls } from './ports/crawls.ts'
import type { Pages } from './ports/pages.ts'
import { startStoreThread } from './store/sqlite/remote.ts'
import { openReader } from './store/sqlite/store.ts'
import { Crew, recruit } from './worker/crew.ts'
import type { PdfThread } from './worker/pdf/thread.ts'

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

function archiveFolder(data: string): string {
  return join(data, 'archive')
}

/** Loaded when there is a PDF to be read, and not before. */
async function openPdfThread(): Promise<PdfThread> {
  const [{ PdfThread }, { PDF_LIMITS }, { systemClock }] = await Promise.all([
    import('./worker/pdf/thread.ts'),
    import('./engine/media/pdf/limits.ts'),
    import('./lib/clock.ts'),
  ])
  return new PdfThread(PDF_LIMITS, systemClock)
}

async function openArchive(config: Config, store: ServiceThread): Promise<ServiceThread> {
  const goodOffsets = await store.client.service<Pages>('pages').goodOffsets()
  return startArchiveThread({
    dir: archiveFolder(config.data),
    goodOffsets,
    maxSegmentBytes: config.segmentSize,
    maxSegmentAgeMs: config.segmentAge,
    isDurable: config.durability === 'disk',
    writer: `p${process.pid}`,
  })
}

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  openReader(dir) {
    const store = openReader(dir)
    const archive = openArchiveReader(archiveFolder(dir))
    let pdf: PdfThread | null = null
    return {
      ...store,
      archive,
      async readPdf(body) {
        pdf ??= await openPdfThread()
        return pdf.read(body)
      },
      checkArchive: () => verifySegments(archiveFolder(dir)),
      async close() {
        await pdf?.close()
        await archive.close()
        store.close()
      },
    }
  },
  async openFetcher(config) {
    const { buildFetcher } = await import('./worker/build.ts')
    return buildFetcher({ ...config, headers: config.header, timeoutMs: config.timeout, maxBodyBytes: config.maxBody })
  },
  async checkFilterLists(files) {
    if (files.length === 0) return
    const { readFilterLists } = await import('./worker/build.ts')
    await readFilterLists(files)
  },
  async openWorkshop(config, create) {
    const recruits = recruit(config.threads)
    const dismiss = () => Promise.all(recruits.map((worker) => worker.terminate()))
    const opening = startStoreThread({ dir: config.data, create, leaseMs: config.lease })
    const store = await opening.catch(async (error: unknown) => {
      await dismiss()
      throw error
    })
    let archive: ServiceThread | null = null
    return {
      crawls: store.client.service<Crawls>('crawls'),
      async startCrew(crawl) {
        if (crawl.settings.archive !== 'none') archive = await openArchive(config, store)
        return new Crew(recruits, {
          crawl,
          seenUrls: config.seenUrls,
          leaseMs: config.lease,
          connectStore: store.connect,
          connectArchive: archive?.connect ?? null,
        })
      },
      async close() {
        await dismiss()
        await archive?.close()
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
  if (error.code === 'EPIPE') return
  process.stderr.write(`orbweaver: Standard output cannot be written: ${error.message}\n`)
  process.exit(EXIT.failed)
})

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
process.exitCode = await runCli(process.argv.slice(2), version, io)
