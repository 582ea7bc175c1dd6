// Remote procedure calls between threads: methods of plain async objects, by name, over a MessagePort. Between processes,
// a socket takes its place (socket-port.ts).

import type { MessagePort } from 'node:worker_threads'
import { AppError, asAppError, type ErrorCode } from './errors.ts'

/** The subset of a MessagePort that a client needs. */
export interface RpcPort {
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  close(): void
}

interface RpcCall {
  id: number
  service: string
  method: string
  args: unknown[]
}

/** Whether a message from another process has the shape of a call. */
export function isRpcCall(message: unknown): message is RpcCall {
  if (typeof message !== 'object' || message === null) return false
  const { id, service, method, args } = message as Partial<Record<keyof RpcCall, unknown>>
  return typeof id === 'number' && typeof service === 'string' && typeof method === 'string' && Array.isArray(args)
}

type RpcReply = { id: number; value: unknown } | { id: number; error: { code: ErrorCode; message: string } }

type Method = (...args: unknown[]) => unknown

/**
 * Dispatches calls to the methods of the services, one at a time over all ports. It yields to the event loop between two
 * calls, because a port that always has a message waiting would starve the others.
 */
export class RpcServer {
  readonly #services: Record<string, object>
  readonly #calls: { port: MessagePort; call: RpcCall }[] = []

  constructor(services: Record<string, object>) {
    this.#services = services
  }

  serve(port: MessagePort): void {
    port.on('message', (rpcCall: RpcCall) => {
      if (this.#calls.push({ port, call: rpcCall }) === 1) setImmediate(() => this.#next())
    })
  }

  #next(): void {
    const next = this.#calls.shift()
    if (next === undefined) return
    this.#reply(next.port, next.call)
    if (this.#calls.length > 0) setImmediate(() => this.#next())
  }

  #reply(port: MessagePort, rpcCall: RpcCall): void {
    Promise.try(() => this.#run(rpcCall))
      .then((value) => port.postMessage({ id: rpcCall.id, value } satisfies RpcReply))
      .catch((thrown: unknown) => {
        const { code, message } = asAppError(thrown)
        port.postMessage({ id: rpcCall.id, error: { code, message } } satisfies RpcReply)
      })
  }

  #run({ service, method, args }: RpcCall): unknown {
    const target = this.#services[service]
    const run = target === undefined ? undefined : Reflect.get(target, method)
    if (typeof run !== 'function') throw new TypeError(`No method ${service}.${method}`)
    return (run as Method).apply(target, args)
  }
}

export class RpcClient {
  readonly #port: RpcPort
  readonly #endMessage: string
  readonly #pending = new Map<number, { resolve: (value: never) => void; reject: (error: AppError) => void }>()
  #lastId = 0
  #isClosed = false

  /** `endMessage` is the error of calls after the other side has ended. */
  constructor(port: RpcPort, endMessage = 'The thread that serves this call has ended.') {
    this.#port = port
    this.#endMessage = endMessage
    port.on('message', (message) => {
      const rpcReply = message as RpcReply
      const call = this.#pending.get(rpcReply.id)
      this.#pending.delete(rpcReply.id)
      if ('error' in rpcReply) call?.reject(new AppError(rpcReply.error.code, rpcReply.error.message))
      else call?.resolve(rpcReply.value as never)
    })
    port.on('close', () => {
      this.#isClosed = true
      for (const call of this.#pending.values()) call.reject(this.#endError())
      this.#pending.clear()
    })
  }

  /** A proxy for a remote service. */
  service<T extends object>(name: string): T {
    return new Proxy({} as T, {
      get: (_target, method) =>
        typeof method === 'string' && method !== 'then'
          ? (...args: unknown[]) => this.#call(name, method, args)
          : undefined,
    })
  }

  close(): void {
    this.#port.close()
  }

  #call(service: string, method: string, args: unknown[]): Promise<never> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      // A closed port drops messages silently.
      if (this.#isClosed) return reject(this.#endError())
      this.#port.postMessage({ id, service, method, args } satisfies RpcCall)
      this.#pending.set(id, { resolve, reject })
    })
  }

  #endError(): AppError {
    return new AppError('STORE_FAILED', this.#endMessage)
  }
}
