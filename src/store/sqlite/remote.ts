// Starts the store thread and hands out connections to it.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { AppError, asAppError, type ErrorCode } from '../../lib/errors.ts'
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
  const thread = watch(worker)
  const first = await thread.nextReply()
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
      const closed = thread.nextReply()
      worker.postMessage({ close: true })
      // A thread that died has nothing left to close; who called it has heard of its end.
      await closed.catch(() => undefined)
      client.close()
      await worker.terminate()
    },
  }
}

/** Replies of the thread; waiting for one fails when the thread has ended or ends. */
function watch(worker: Worker): { nextReply(): Promise<ThreadReply> } {
  const dead = new Promise<never>((_resolve, reject) => {
    worker.once('error', (error) => reject(asAppError(error)))
    worker.once('exit', () => reject(new AppError('STORE_FAILED', 'The store thread has ended.')))
  })
  // Nobody may be waiting when it happens.
  dead.catch(() => undefined)
  const nextReply = () => {
    const reply = new Promise<ThreadReply>((resolve) => {
      worker.once('message', resolve)
    })
    return Promise.race([reply, dead])
  }
  return { nextReply }
}
