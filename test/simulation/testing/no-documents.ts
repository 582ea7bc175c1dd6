import assert from 'node:assert/strict'
import type { DocumentReaders } from '../../../src/engine/crawl/visit/document-queue.ts'

/** Document readers for simulations without documents. */
export const NO_DOCUMENTS: DocumentReaders = {
  read: async () => assert.fail('there are no documents'),
  load: () => ({ documents: 0, bytes: 0 }),
}
