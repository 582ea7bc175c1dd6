import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeDocument } from '../../../ports/contracts/testing/test-index.ts'
import { DocumentIndexer, toStoredDocument } from '../document-source.ts'
import { startScriptedEngine } from '../testing/scripted-engine.ts'
import { type BulkAction, writeBulk } from './bulk-writer.ts'

const place = { index: 'test-2026-11', routing: 'a.test' }
const indexer = new DocumentIndexer()

function write(id: string): BulkAction {
  return { id, place, document: indexer.toIndexed(toStoredDocument(makeDocument(Number(id)))) }
}

function item(status: number, reason = '') {
  return { index: { status, ...(reason === '' ? {} : { error: { type: 'test', reason } }) } }
}

describe('writing in bulk', () => {
  it('writes only the documents again whose shard was away', async (t) => {
    const responses = [
      { errors: true, items: [item(201), item(503, 'primary shard is not active'), item(409, 'later version')] },
      { errors: false, items: [item(201)] },
    ]
    const { client, requests } = await startScriptedEngine(t, () => responses.shift() ?? {})
    await writeBulk(client, 1, [write('1'), write('2'), write('3')])
    const ids = requests.map(({ body }) => [...body.matchAll(/"_id":"(\d)"/g)].map(([, id]) => id))
    assert.deepEqual(ids, [['1', '2', '3'], ['2']])
  })

  it('fails if the index of a document does not exist, but not if there is nothing to delete', async (t) => {
    const { client } = await startScriptedEngine(t, () => ({ errors: true, items: [item(404, 'no such index')] }))
    await assert.rejects(writeBulk(client, 1, [write('1')]), /refused a document: no such index/)
    await writeBulk(client, 1, [{ id: '1', place, document: null }])
  })
})
