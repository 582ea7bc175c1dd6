// A thread that owns a resource and serves calls to it (rpc.ts): both the starting side and the serving side. With
// serveHere(), the owner is the calling thread.

import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel, type MessagePort, parentPort, type Worker, workerData } from 'node:worker_threads'
import { AppError, asAppError, type ErrorCode } from './errors.ts'
import { RpcClient, RpcServer } from './rpc.ts'
import { spawnThread, type ThreadKind } from './threads.ts'

/** Closing a large file may take long. */
const MAX_CLOSE_MS = 30_000

type ThreadRequest = { connect: MessagePort } | { close: true }
type ThreadReply = { ready: true } | { closed: true } | { failed: { code: ErrorCode; message: string } }

export interface ServiceThread {
  client: RpcClient
  /** A new port, so that another thread can create its own client. */
  connect(): MessagePort
  close(): Promise<void>
}

/** `ports` must be the ports in the settings. Rejects with the error of the thread if it cannot open its resource. */
export async function startServiceThread(
  kind: ThreadKind,
  file: URL,
  settings: object,
  ports: MessagePort[] = [],
): Promise<ServiceThread> {
  const worker = spawnThread(kind, file, { workerData: settings, transferList: ports })
  const thread = trackReplies(worker)
  const first = await thread.nextReply()
  if ('failed' in first) {
    await worker.terminate()
    throw new AppError(first.failed.code, first.failed.message)
  }
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ connect: port2 } satisfies ThreadRequest, [port2])
    return port1
  }
  const client = new RpcClient(connect())
  return {
    client,
    connect,
    async close() {
      const closed = thread.nextReply()
      worker.postMessage({ close: true } satisfies ThreadRequest)
      // A dead thread has nothing left to close, and its callers got an error. A thread that hangs is terminated, which
      // its resource survives.
      const last = await Promise.race([closed.catch(() => null), sleep(MAX_CLOSE_MS, null, { ref: false })])
      client.close()
      await worker.terminate()
      if (last !== null && 'failed' in last) throw new AppError(last.failed.code, last.failed.message)
    },
  }
}

/** Waits for replies of the thread; rejects if the thread ends. */
function trackReplies(worker: Worker): { nextReply(): Promise<ThreadReply> } {
  const dead = new Promise<never>((_resolve, reject) => {
    worker.once('error', (error) => reject(asAppError(error)))
    worker.once('exit', () => reject(new AppError('STORE_FAILED', 'A thread that owns data has ended unexpectedly.')))
  })
  // Avoids an unhandled rejection if no caller is waiting.
  dead.catch(() => undefined)
  const nextReply = () => {
    const reply = new Promise<ThreadReply>((resolve) => {
      worker.once('message', resolve)
    })
    return Promise.race([reply, dead])
  }
  return { nextReply }
}

export interface ThreadServices {
  services: Record<string, object>
  close(): void | Promise<void>
}

/** Serves the resource from this thread, to the same clients. */
export function serveHere({ services, close }: ThreadServices): ServiceThread {
  const server = new RpcServer(services)
  const ports: MessagePort[] = []
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    server.serve(port1)
    ports.push(port1)
    return port2
  }
  return {
    client: new RpcClient(connect()),
    connect,
    async close() {
      try {
        await Promise.race([close(), sleep(MAX_CLOSE_MS, undefined, { ref: false })])
      } finally {
        for (const port of ports) port.close()
      }
    },
  }
}

/** The serving side: opens the resource and serves it until asked to close. */
export function serveOnThread<Settings>(open: (settings: Settings) => ThreadServices | Promise<ThreadServices>): void {
  if (parentPort !== null) void serveParent(parentPort, open)
}

async function serveParent<Settings>(
  parent: MessagePort,
  open: (settings: Settings) => ThreadServices | Promise<ThreadServices>,
) {
  const reply = (message: ThreadReply) => parent.postMessage(message)
  const fail = (error: unknown) => {
    const { code, message } = asAppError(error)
    reply({ failed: { code, message } })
  }
  try {
    const threadServices = await open(workerData as Settings)
    const server = new RpcServer(threadServices.services)
    parent.on('message', (threadRequest: ThreadRequest) => {
      if ('connect' in threadRequest) return server.serve(threadRequest.connect)
      Promise.try(() => threadServices.close())
        .then(() => reply({ closed: true }), fail)
        .finally(() => parent.close())
    })
    reply({ ready: true })
  } catch (error) {
    fail(error)
  }
}
