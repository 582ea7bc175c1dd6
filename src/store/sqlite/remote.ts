// Starts the store thread and hands out connections to it.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { RpcClient } from '../../lib/rpc.ts'
import type { Crawls } from '../../ports/crawls.ts'
import type { ThreadReply, ThreadSettings } from './thread.ts'

export interface StoreThread {
  crawls: Crawls
  /** A new port, for a crawl thread to make its own client on. */
  connect(): MessagePort
  close(): Promise<void>
}

/** Batches die young; without this V8 lets the heap grow several times larger, and gains nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }

export async function startStoreThread(settings: ThreadSettings): Promise<StoreThread> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings, resourceLimits: LIMITS })
  const first = await nextReply(worker)
  if ('failed' in first) {
    await worker.terminate()
    throw new AppError(first.failed.code as ErrorCode, first.failed.message)
  }
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ connect: port2 }, [port2])
    return port1
  }
  const client = new RpcClient(connect())
  return {
    crawls: client.service<Crawls>('crawls'),
    connect,
    async close() {
      const closed = nextReply(worker)
      worker.postMessage({ close: true })
      await closed
      client.close()
      await worker.terminate()
    },
  }
}

function nextReply(worker: Worker): Promise<ThreadReply> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
