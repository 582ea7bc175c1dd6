// The code of a document reader thread: reads one document at a time and replies to each request once.

import { parentPort } from 'node:worker_threads'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import type { DocumentLimits, DocumentRequest } from '../../engine/media/document-types.ts'
import { readDocument } from '../../engine/media/documents/read-document.ts'
import { lowerPriority } from '../../lib/threads.ts'

export interface ReadRequest {
  /** The transfer turns `body` into a plain byte array. */
  document: Omit<DocumentRequest, 'body'> & { body: Uint8Array<ArrayBuffer> }
  limits: DocumentLimits
}

/**
 * Globals that provide network access. The parsers do not need it, and an exploit in one of them should not have it.
 */
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

for (const name of NETWORK_GLOBALS) Reflect.deleteProperty(globalThis, name)
// A broken file can leave rejected promises behind. They must not end the thread while it reads the next file.
process.on('unhandledRejection', () => undefined)
// Fetching has priority.
lowerPriority(10)

parentPort?.on('message', async ({ document, limits }: ReadRequest) => {
  const { body, type } = document
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const reading = Promise.try(() => readDocument({ ...document, body: bytes }, limits))
  // Closing a broken file can throw after all of it was read.
  parentPort?.postMessage(await reading.catch(() => ({ ...NO_CONTENT, problem: `${type}_broken` })))
})
