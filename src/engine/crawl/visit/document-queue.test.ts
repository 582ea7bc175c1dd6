import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { NO_CONTENT } from '../../media/content-type.ts'
import { DocumentQueue, type DocumentReaders, MAX_WAITING_DOCUMENTS } from './document-queue.ts'

const FULL = { documents: MAX_WAITING_DOCUMENTS, bytes: 0 }

function openQueue(read: DocumentReaders['read'] = async () => NO_CONTENT) {
  const clock = new ManualClock()
  return { clock, queue: new DocumentQueue({ read, load: () => FULL }, clock) }
}

describe('the document queue', () => {
  it('knows documents by their names, and others once they were postponed', () => {
    const { queue } = openQueue()
    const isDocument = (url: string) => queue.isDocument({ id: 1, url })
    for (const name of ['a.pdf', 'a.PDF?page=2', 'a.epub#x', 'man/ls.1.gz', 'changelog.gz'])
      assert.ok(isDocument(`http://a.test/${name}`), name)
    for (const name of ['a.html', 'gz', 'a.tar.gz', 'a.tgz', 'pdf?x=a.pdf'])
      assert.ok(!isDocument(`http://a.test/${name}`), name)
    queue.postpone(1)
    assert.ok(isDocument('http://a.test/download?id=1'))
  })

  it('postpones 400 documents by about a second before it knows how long they take', () => {
    const { clock, queue } = openQueue()
    const dueAt = Array.from({ length: 400 }, (_, id) => queue.postpone(id)).at(-1) ?? 0
    assert.ok(dueAt - clock.now() <= 1000, String(dueAt - clock.now()))
  })

  it('postpones slow documents for longer', async () => {
    const clock = new ManualClock()
    const read = async () => {
      clock.advance(2000)
      return NO_CONTENT
    }
    const queue = new DocumentQueue({ read, load: () => FULL }, clock)
    for (let i = 0; i < 20; i++) await queue.read({ type: 'pdf', url: '', contentType: '', body: Buffer.alloc(0) })
    const waits = [1, 2, 3].map((id) => queue.postpone(id) - clock.now())
    assert.ok((waits[0] ?? 0) > 1000 && (waits[2] ?? 0) > 2500, waits.join())
    assert.ok(queue.hasBacklog)
    clock.advance(60_000)
    assert.ok(!queue.hasBacklog)
  })
})
