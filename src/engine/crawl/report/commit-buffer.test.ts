import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import type { CommitBatch, CommitResult } from '../../../ports/frontier.ts'
import type { VisitReport } from '../../../ports/visits.ts'
import { CommitBuffer, type CommitBufferDependencies } from './commit-buffer.ts'
import { RequestCounts } from './request-counts.ts'
import { ChunkPool, ResponseBatch } from './response-batch.ts'

const VISIT: VisitReport = {
  token: 1,
  urlId: 1,
  outcome: { state: 'visited', reason: null },
  facts: null,
  page: null,
  found: [],
  traps: null,
  freshness: null,
  linkCount: 0,
}
const COMMITTED: CommitResult = { status: 'running', closing: false, late: 0, added: 0 }

describe('CommitBuffer', () => {
  let clock: ManualClock
  let sent: { batch: CommitBatch; finish: () => Promise<void> }[]
  let commitBuffer: CommitBuffer

  beforeEach(() => {
    clock = new ManualClock(1_800_000_000_000)
    sent = []
    const commit = (batch: CommitBatch) => {
      const { promise, resolve } = Promise.withResolvers<CommitResult>()
      const finish = async () => {
        resolve(COMMITTED)
        await turn()
      }
      sent.push({ batch, finish })
      return promise
    }
    const linkAdmission = {
      rejections: { takeCounts: () => ({}), takeSamples: () => [] },
    }
    const dependencies = {
      clock,
      linkAdmission,
      frontier: { commit },
      archiver: { batchesInFlight: 0, newBatch: () => new ResponseBatch(new ChunkPool()) },
      requestCounts: new RequestCounts(),
      page: { trapDetector: null, freshness: null },
    }
    commitBuffer = new CommitBuffer(
      { crawlId: 'c', threadId: 'w' },
      dependencies as unknown as CommitBufferDependencies,
      {
        onDue: () => commitBuffer.flush([]),
        onCommitted: () => undefined,
        onFailed: (error) => assert.fail(String(error)),
      },
    )
  })

  const add = (visits: number) => {
    for (let i = 0; i < visits; i++) commitBuffer.addVisit(VISIT)
  }
  const sizes = () => sent.map(({ batch }) => batch.visits.length)

  it('sends the link keys of its visits in their order', () => {
    for (const keys of [[1, 2], [], [3]]) {
      const linkKeys = new Uint8Array(new BigInt64Array(keys.map(BigInt)).buffer)
      commitBuffer.addVisit({ ...VISIT, linkCount: keys.length }, { toArchive: null, linkKeys })
    }
    clock.advance(100)
    const { linkKeys = new Uint8Array(0), visits = [] } = sent[0]?.batch ?? {}
    assert.deepEqual([...new BigInt64Array(linkKeys.buffer)], [1n, 2n, 3n])
    assert.deepEqual(
      visits.map(({ linkCount }) => linkCount),
      [2, 0, 1],
    )
  })

  it('sends a batch after a tenth of a second', () => {
    add(1)
    clock.advance(99)
    add(1)
    assert.deepEqual(sizes(), [])
    clock.advance(1)
    assert.deepEqual(sizes(), [2])
  })

  it('collects more while a commit is in flight, and sends it when that is done', async () => {
    add(1)
    clock.advance(100)
    for (let i = 0; i < 5; i++) {
      add(1)
      clock.advance(100)
    }
    assert.deepEqual(sizes(), [1])
    await sent[0]?.finish()
    assert.deepEqual(sizes(), [1, 5])
  })

  it('sends a full batch without waiting for the commit in flight', () => {
    add(1)
    clock.advance(100)
    add(256)
    assert.deepEqual(sizes(), [1, 256])
  })
})
