// The thread that PDFs are read in: one file at a time, one answer for each.

import { parentPort } from 'node:worker_threads'
import type { PdfLimits } from '../../engine/media/pdf/limits.ts'
import { readPdf } from '../../engine/media/pdf/read.ts'
import { type Extracted, NOTHING } from '../../engine/media/type.ts'

export interface PdfRequest {
  bytes: Uint8Array
  limits: PdfLimits
}

/** Ways out to the network. The library has no use for them; a hole in it should not either. */
const WAYS_OUT = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

for (const name of WAYS_OUT) Reflect.deleteProperty(globalThis, name)
// A broken file can leave promises behind that nobody waits for. They must not end the thread under the next file.
process.on('unhandledRejection', () => undefined)

const BROKEN: Extracted = { ...NOTHING, problem: 'pdf_broken' }

parentPort?.on('message', async ({ bytes, limits }: PdfRequest) => {
  // Closing a broken file can fail after all of it was read.
  parentPort?.postMessage(await readPdf(bytes, limits).catch(() => BROKEN))
})
