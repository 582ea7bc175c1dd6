// The thread that documents are read in: one at a time, one answer for each.

import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import type { DocumentLimits, DocumentRequest } from '../../engine/media/document-types.ts'
import { readDocument } from '../../engine/media/documents/read-document.ts'

export interface ReadRequest {
  /** Its `body` has become a plain array of bytes on the way. */
  document: Omit<DocumentRequest, 'body'> & { body: Uint8Array<ArrayBuffer> }
  limits: DocumentLimits
}

/** Ways out to the network. The library has no use for them; a hole in it should not either. */
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

for (const name of NETWORK_GLOBALS) Reflect.deleteProperty(globalThis, name)
// A broken file can leave promises behind that nobody waits for. They must not end the thread under the next file.
process.on('unhandledRejection', () => undefined)
// Fetching goes first. On Linux this is about the calling thread alone.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', async ({ document, limits }: ReadRequest) => {
  const { body, type } = document
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const reading = Promise.try(() => readDocument({ ...document, body: bytes }, limits))
  // Closing a broken file can fail after all of it was read.
  parentPort?.postMessage(await reading.catch(() => ({ ...NO_CONTENT, problem: `${type}_broken` })))
})
