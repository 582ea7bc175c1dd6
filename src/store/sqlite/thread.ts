// The thread that owns the store: the only one that touches the file. Others reach it through ports they are given.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import { RpcServer } from '../../lib/rpc.ts'
import { openStore, type Store } from './store.ts'

export interface ThreadSettings {
  dir: string
  create: boolean
  leaseMs: number
}

export type ThreadRequest = { connect: MessagePort } | { close: true }
export type ThreadReply = { ready: true } | { closed: true } | { failed: { code: string; message: string } }

function run(parent: MessagePort, settings: ThreadSettings): void {
  const reply = (message: ThreadReply) => parent.postMessage(message)
  let store: Store
  try {
    store = openStore(settings.dir, { ...settings, clock: systemClock, random: Math.random })
  } catch (error) {
    const { code, message } = asAppError(error)
    reply({ failed: { code, message } })
    return
  }
  const { frontier, crawls, robots, contents, pages } = store
  const server = new RpcServer({ frontier, crawls, robots, contents, pages })
  parent.on('message', (request: ThreadRequest) => {
    if ('connect' in request) {
      server.serve(request.connect)
      return
    }
    store.close()
    reply({ closed: true })
    parent.close()
  })
  reply({ ready: true })
}

if (parentPort !== null) run(parentPort, workerData as ThreadSettings)
