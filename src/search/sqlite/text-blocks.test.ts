import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { makeDocument } from '../../ports/contracts/testing/test-index.ts'
import { openForWriting } from './open.ts'
import { readDisplayFields } from './text-blocks.ts'
import { DocumentWriter } from './write/document-writer.ts'
import { StoredHostCounts } from './write/host-counts.ts'

function open(t: TestContext): { db: DatabaseSync; writer: DocumentWriter } {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-texts-'))
  const db = openForWriting(dir)
  t.after(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  return { db, writer: new DocumentWriter(db, new StoredHostCounts(db)) }
}

function textOf(n: number): string {
  return `Text ${n} ${'of some length '.repeat(100)}`
}

const ids = Array.from({ length: 100 }, (_, i) => i + 1)

function blocks(db: DatabaseSync): { documents: number; live: number } {
  const row = db.prepare(
    'select coalesce(sum(documents), 0) as documents, coalesce(sum(live), 0) as live from text_blocks',
  )
  const { documents, live } = row.get() ?? {}
  return { documents: Number(documents), live: Number(live) }
}

describe('text blocks', () => {
  it('return the text of every document, whatever is added and removed', (t) => {
    const { db, writer } = open(t)
    for (const n of ids) writer.put(makeDocument(n, { text: textOf(n), keywords: [`k${n}`] }))
    writer.flush()
    // Every third document stays, so blocks are repacked, some of them more than once.
    const removed = ids.filter((n) => n % 3 !== 0)
    for (const pageId of removed) writer.remove({ pageId, url: `http://h${pageId}.test/`, title: `Page ${pageId}` })
    writer.flush()
    for (const [i, shown] of readDisplayFields(db, ids).entries()) {
      const n = ids[i] ?? 0
      assert.deepEqual(shown, n % 3 === 0 ? { text: textOf(n), keywords: [`k${n}`], entities: [] } : null)
    }
    const { documents, live } = blocks(db)
    assert.equal(live, ids.length - removed.length)
    assert.ok(documents < 2 * live, `${documents} stored texts for ${live} documents`)
  })

  it('are deleted with their last document', (t) => {
    const { db, writer } = open(t)
    for (const n of ids) writer.put(makeDocument(n, { text: textOf(n) }))
    for (const pageId of ids) writer.remove({ pageId, url: `http://h${pageId}.test/`, title: `Page ${pageId}` })
    writer.flush()
    assert.deepEqual(blocks(db), { documents: 0, live: 0 })
  })

  it('keep the later of two versions in one batch', (t) => {
    const { db, writer } = open(t)
    writer.put(makeDocument(1, { url: 'http://a.test/', text: 'before' }))
    writer.put(makeDocument(2, { url: 'http://a.test/', version: 2, text: 'after' }))
    writer.flush()
    assert.deepEqual(readDisplayFields(db, [2])[0]?.text, 'after')
    assert.deepEqual(blocks(db), { documents: 1, live: 1 })
  })
})
