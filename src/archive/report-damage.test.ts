import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Position } from '../ports/archive.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { withDamageReports } from './report-damage.ts'
import { makeBatch, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'

const freshFolder = temporaryFolders()
const BROKEN = { code: 'ARCHIVE_BROKEN' }

/** Two responses; the first is damaged. */
async function damaged(): Promise<{ path: string; dir: string; first: Position; second: Position }> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
  const [first, second] = await writer.append(makeBatch([{}, {}]))
  await writer.close()
  assert.ok(first !== undefined && second !== undefined)
  const path = join(dir, first.segment)
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(first.offset + 30) ^ 0x55, first.offset + 30)
  await writeFile(path, bytes)
  return { path, dir, first, second }
}

describe('damage', () => {
  it('is reported once, where it is found, and the read still fails', async () => {
    const { dir, first, second } = await damaged()
    const reports: Position[] = []
    const reader = withDamageReports(openArchiveReader(dir), async (place) => void reports.push(place))
    await reader.read(second)
    for (let i = 0; i < 2; i++) await assert.rejects(reader.read(first), BROKEN)
    assert.deepEqual(reports, [first])
    await reader.close()
  })

  it('is reported by an export', async () => {
    const { dir, first, second } = await damaged()
    const reports: Position[] = []
    const reader = withDamageReports(openArchiveReader(dir), async (place) => void reports.push(place))
    await reader.readForExport(second)
    await assert.rejects(reader.readForExport(first), BROKEN)
    assert.deepEqual(reports, [first])
    await reader.close()
  })

  it('is reported again if reporting failed, and the error says why', async () => {
    const { dir, first } = await damaged()
    const report = async () => Promise.reject(new AppError('DISK_FULL', 'The disk is full.'))
    const reader = withDamageReports(openArchiveReader(dir), report)
    for (let i = 0; i < 2; i++) {
      await assert.rejects(reader.read(first), { ...BROKEN, message: /Reporting the damage failed: The disk is full/ })
    }
    await reader.close()
  })

  it('is not assumed for a missing segment', async () => {
    const { path, dir, first } = await damaged()
    await rm(path)
    const reader = withDamageReports(openArchiveReader(dir), () => assert.fail('nothing is damaged'))
    await assert.rejects(reader.read(first), BROKEN)
    await reader.close()
  })
})
