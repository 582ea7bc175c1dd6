import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { retryIfMoved } from './retry-if-moved.ts'

function versionIn(segment: string): PageVersion {
  const position = { segment, offset: 0, length: 1 }
  return { id: 7, url: 'http://a.test/', visitedAt: 0, record: position, payload: position } as PageVersion
}

/** Reads from segment `there`, and fails elsewhere. */
function readFrom(there: string) {
  return async ({ record }: PageVersion) => {
    if (record?.segment !== there) throw new AppError('ARCHIVE_BROKEN', `nothing in ${record?.segment}`)
    return there
  }
}

describe('a record that has moved', () => {
  it('is read at its current position, however often it moved', async () => {
    const places = ['b', 'c']
    const pages = { find: async () => versionIn(places.shift() ?? 'd') }
    assert.equal(await retryIfMoved(versionIn('a'), pages, readFrom('d')), 'd')
  })

  it('is damaged if it is at its position and cannot be read', async () => {
    const pages = { find: async () => versionIn('a') }
    await assert.rejects(retryIfMoved(versionIn('a'), pages, readFrom('b')), { message: 'nothing in a' })
  })

  it('is reported if it was deleted by retention in the meantime', async () => {
    const pages = { find: async () => null }
    await assert.rejects(retryIfMoved(versionIn('a'), pages, readFrom('b')), {
      code: 'PAGE_NOT_FOUND',
      message: 'The version of http://a.test/ from 1970-01-01T00:00:00.000Z has expired and is no longer archived.',
    })
  })

  it('is not looked up again after any other failure', async () => {
    const pages = { find: () => assert.fail('nobody asks') }
    const read = () => Promise.reject(new AppError('DISK_FULL', 'full'))
    await assert.rejects(retryIfMoved(versionIn('a'), pages, read), { code: 'DISK_FULL' })
  })
})
