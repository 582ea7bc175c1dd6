// Calls across threads: methods of plain async objects, by name, over a MessagePort.

import type { MessagePort } from 'node:worker_threads'
import { AppError, asAppError, type ErrorCode } from './errors.ts'

interface Call {
  id: number
  service: string
  method: string
  args: unknown[]
}

type Reply = { id: number; value: unknown } | { id: number; error: { code: ErrorCode; message: string } }

type Method = (...args: unknown[]) => unknown

/** Answers calls that arrive on the port with the methods of these services. */
export function serve(port: MessagePort, services: Record<string, object>): void {
  port.on('message', (call: Call) => {
    Promise.try(() => answer(services, call))
      .then((value) => port.postMessage({ id: call.id, value } satisfies Reply))
      .catch((thrown: unknown) => {
        const { code, message } = asAppError(thrown)
        port.postMessage({ id: call.id, error: { code, message } } satisfies Reply)
      })
  })
}

function answer(services: Record<string, object>, call: Call): unknown {
  const service = services[call.service]
  const method = service === undefined ? undefined : Reflect.get(service, call.method)
  if (typeof method !== 'function') throw new TypeError(`No method ${call.service}.${call.method}`)
  return (method as Method).apply(service, call.args)
}

export class RpcClient {
  readonly #port: MessagePort
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: AppError) => void }>()
  #lastId = 0
  #isClosed = false

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (reply: Reply) => {
      const call = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if ('error' in reply) call?.reject(new AppError(reply.error.code, reply.error.message))
      else call?.resolve(reply.value as never)
    })
    port.on('close', () => {
      this.#isClosed = true
      for (const call of this.#waiting.values()) call.reject(threadEnded())
      this.#waiting.clear()
    })
  }

  /** An object whose methods are the remote ones. */
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
      // A closed port takes messages in silence.
      if (this.#isClosed) return reject(threadEnded())
      this.#port.postMessage({ id, service, method, args } satisfies Call)
      this.#waiting.set(id, { resolve, reject })
    })
  }
}

function threadEnded(): AppError {
  return new AppError('STORE_FAILED', 'The store thread has ended.')
}
