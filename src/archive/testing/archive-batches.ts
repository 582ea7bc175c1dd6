// Test support: batches of responses and temporary folders.

import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { ArchiveBatch, ArchiveItem } from '../../ports/archive.ts'
import type { WriterSettings } from '../archive-writer.ts'

export const SETTINGS: WriterSettings = {
  maxSegmentBytes: 1_000_000,
  maxSegmentAgeMs: 3_600_000,
  isDurable: false,
  codec: 'zstd',
  writer: 'w1',
}

/** 2026-01-02T03:04:05.678Z */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

export const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html'

type ComputedField =
  | 'chunk'
  | 'offset'
  | 'headLength'
  | 'payloadLength'
  | 'payloadDigest'
  | 'requestLength'
  | 'extractedLength'
  | 'screenshotLength'

export interface TestResponse extends Partial<Omit<ArchiveItem, ComputedField>> {
  /** Response head, one character per byte. */
  head?: string
  payload?: Uint8Array
  /** Request head, one character per byte; not archived if undefined. */
  request?: string
  extracted?: string
  screenshot?: Uint8Array
}

export function makeBatch(answers: TestResponse[]): ArchiveBatch {
  const items: ArchiveItem[] = []
  const parts: Uint8Array[] = []
  let offset = 0
  for (const testResponse of answers) {
    const { head = HEAD, payload = Buffer.from('<p>Hello'), request = '', extracted = '', ...more } = testResponse
    const { screenshot, ...changes } = more
    const item: ArchiveItem = {
      chunk: 0,
      offset,
      url: 'https://a.test/',
      fetchedAt: NOW,
      ip: '192.0.2.1',
      headLength: head.length,
      payloadLength: payload.length,
      payloadDigest: hash('sha256', payload, 'hex'),
      isTruncated: false,
      sameAs: null,
      requestLength: request.length,
      extractedLength: extracted.length,
      ...(screenshot === undefined ? {} : { screenshotLength: screenshot.length }),
      ...changes,
    }
    items.push(item)
    const texts = [head, request, extracted].map((text) => Buffer.from(text, 'latin1')) as [Buffer, Buffer, Buffer]
    const own = [texts[0], payload, texts[1], texts[2], screenshot ?? Buffer.alloc(0)]
    parts.push(...own)
    offset += own.reduce((sum, part) => sum + part.length, 0)
  }
  return { items, chunks: [Buffer.concat(parts)] }
}

/** A folder that is deleted after the test file; each call creates a new one inside. */
export function temporaryFolders(): () => Promise<string> {
  const root = mkdtemp(join(tmpdir(), 'orbweaver-archive-'))
  after(async () => rm(await root, { recursive: true, force: true }))
  return async () => mkdtemp(join(await root, 'case-'))
}

/** Files of the folder except the locks, sorted by name. */
export async function filesIn(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => name !== 'locks').sort()
}
