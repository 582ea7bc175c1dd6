// One crawl thread. It is started before its crawl is known, so that loading its code and opening the store go side by
// side; the first message brings the crawl and a port to the store. It answers questions about its progress.

import { type MessagePort, parentPort } from 'node:worker_threads'
import { assembleLoop, type Share } from '../engine/crawl/assemble.ts'
import type { LoopEnd } from '../engine/crawl/loop.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import { PDF_LIMITS } from '../engine/media/pdf/limits.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError, asAppError, type ErrorCode } from '../lib/errors.ts'
import { RpcClient } from '../lib/rpc.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Contents } from '../ports/pages.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import { buildFetcher, readFilterLists } from './build.ts'
import { PdfThread } from './pdf/thread.ts'

export interface CrawlThreadSettings {
  crawl: Crawl
  store: MessagePort
  /** Null when nothing is kept. */
  archive: MessagePort | null
  share: Share
}

export type CrawlThreadRequest = { stop: true } | { stats: true }
export type CrawlThreadReply =
  | { stats: { inFlight: number; requests: number; hosts: HostStat[] } }
  | { end: LoopEnd }
  | { failed: { code: ErrorCode; message: string } }

const NOTABLE_HOSTS = 5

const NO_ARCHIVE: Pick<ArchiveWriter, 'append'> = {
  append: async () => {
    throw new AppError('INTERNAL', 'There is no archive to keep an answer in.')
  },
}

async function run(parent: MessagePort, settings: CrawlThreadSettings): Promise<void> {
  const store = new RpcClient(settings.store)
  const archive = settings.archive === null ? null : new RpcClient(settings.archive)
  const reply = (message: CrawlThreadReply) => parent.postMessage(message)
  try {
    reply({ end: await crawl(parent, settings, { store, archive }) })
  } catch (error) {
    const { code, message } = asAppError(error)
    reply({ failed: { code, message } })
  } finally {
    store.close()
    archive?.close()
    parent.close()
  }
}

interface Clients {
  store: RpcClient
  archive: RpcClient | null
}

async function crawl(parent: MessagePort, settings: CrawlThreadSettings, clients: Clients): Promise<LoopEnd> {
  const { store, archive } = clients
  // Whoever asks for a stop while the lists are being read is heard afterwards.
  const early: CrawlThreadRequest[] = []
  const listen = (request: CrawlThreadRequest) => early.push(request)
  parent.on('message', listen)
  const filters = await readFilterLists(settings.crawl.settings.filterLists)
  const fetcher = buildFetcher(settings.crawl.settings)
  const pdf = new PdfThread(PDF_LIMITS, systemClock)
  const loop = assembleLoop(settings.crawl, settings.share, {
    frontier: store.service<Frontier>('frontier'),
    robots: store.service<RobotsCopies>('robots'),
    contents: store.service<Contents>('contents'),
    archive: archive?.service<ArchiveWriter>('archive') ?? NO_ARCHIVE,
    fetcher,
    readPdf: pdf.read,
    filters,
    clock: systemClock,
    random: Math.random,
  })
  const sendStats = () => {
    const { stats, inFlight } = loop
    const reply: CrawlThreadReply = {
      stats: { inFlight, requests: stats.pages, hosts: stats.notable(NOTABLE_HOSTS) },
    }
    parent.postMessage(reply)
  }
  const obey = (request: CrawlThreadRequest) => {
    if ('stop' in request) loop.stop()
    else sendStats()
  }
  parent.off('message', listen).on('message', obey)
  early.forEach(obey)
  try {
    return await loop.run()
  } finally {
    sendStats()
    await Promise.all([fetcher.close(), pdf.close()])
  }
}

const parent = parentPort
parent?.once('message', (settings: CrawlThreadSettings) => void run(parent, settings))
