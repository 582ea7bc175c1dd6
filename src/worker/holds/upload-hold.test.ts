import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { UploadStatus } from '../../ports/archive.ts'
import { Holds } from './holds.ts'
import { UploadHold } from './upload-hold.ts'

const FINE: UploadStatus = {
  waitingSegments: 0,
  waitingBytes: 0,
  uploadedSegments: 0,
  uploadedBytes: 0,
  lostSegments: [],
  problem: null,
  failingForMs: 0,
}

function openHold(isBeforeCommit = false) {
  const [clock, holds] = [new ManualClock(), new Holds()]
  const uploadHold = new UploadHold({ maxBacklogBytes: 100, isBeforeCommit }, { clock, holds })
  let status = FINE
  const logged: string[] = []
  const log = Object.assign((event: string) => void logged.push(event), {
    ...silentLog,
    warn: (event: string) => void logged.push(event),
    error: (event: string, fields?: object) => void logged.push(`${event} ${JSON.stringify(fields)}`),
  })
  uploadHold.setLog(log)
  uploadHold.start({ status: async () => status })
  return {
    holds,
    logged,
    uploadHold,
    async check(changes: Partial<UploadStatus>) {
      status = { ...FINE, ...changes }
      clock.advance(1000)
      await new Promise(setImmediate)
      return holds.reason
    },
  }
}

describe('uploads that do not keep up', () => {
  it('hold the crawls above the limit, until half of it', async () => {
    const { check, uploadHold, holds } = openHold()
    assert.equal(await check({ waitingBytes: 100 }), null)
    assert.equal(await check({ waitingBytes: 101 }), 'archive_store')
    assert.equal(await check({ waitingBytes: 51 }), 'archive_store')
    assert.equal(await check({ waitingBytes: 50 }), null)
    await check({ waitingBytes: 101 })
    uploadHold.stop()
    assert.equal(holds.reason, null)
  })

  it('hold the crawls after some seconds if pages are uploaded before their commit', async () => {
    const failing = { problem: 'away', waitingBytes: 1 }
    const later = openHold()
    assert.equal(await later.check({ ...failing, failingForMs: 60_000 }), null)
    const { check } = openHold(true)
    assert.equal(await check({ ...failing, failingForMs: 5000 }), null)
    assert.equal(await check({ ...failing, failingForMs: 5001 }), 'archive_store')
    assert.equal(await check({}), null)
  })

  it('are logged once when they begin to fail, and when they continue', async () => {
    const { check, logged } = openHold()
    for (const problem of [null, 'away', 'still away', null, null]) await check({ problem })
    assert.deepEqual(logged, ['archive upload failed, trying again', 'archive uploads continue'])
  })

  it('are logged at the end if segments are left', () => {
    const { uploadHold, logged } = openHold()
    uploadHold.logLeftSegments(0)
    uploadHold.logLeftSegments(2)
    const text = 'archive segments are not uploaded; "archive upload" on this data directory uploads them'
    assert.deepEqual(logged, [text])
  })

  it('log each lost segment once', async () => {
    const { check, logged } = openHold()
    for (const lostSegments of [[], ['a'], ['a'], ['a', 'b']]) await check({ lostSegments })
    const text = 'archive segment lost: its file was deleted before its upload'
    assert.deepEqual(logged, [`${text} {"segment":"a"}`, `${text} {"segment":"b"}`])
  })
})
