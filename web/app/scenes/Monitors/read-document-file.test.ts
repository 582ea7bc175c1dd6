import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FILE_BYTES, readDocumentFile } from './read-document-file.ts'

const file = (name: string, content: string, type = '') => new File([content], name, { type })

test('a file is text, or HTML by its name or type', async () => {
  assert.deepEqual(await readDocumentFile(file('a.txt', 'One')), { title: 'a.txt', text: 'One' })
  assert.deepEqual(await readDocumentFile(file('a.HTM', '<p>One')), { title: 'a.HTM', html: '<p>One' })
  assert.deepEqual(await readDocumentFile(file('a', '<p>One', 'text/html')), { title: 'a', html: '<p>One' })
})

test('a file that is too large, empty or not text is rejected', async () => {
  await assert.rejects(readDocumentFile(file('a.txt', 'x'.repeat(MAX_FILE_BYTES + 1))), /larger than 1 MB/)
  await assert.rejects(readDocumentFile(file('a.txt', ' \n')), /empty/)
  await assert.rejects(readDocumentFile(file('a.pdf', '%PDF\0')), /not text/)
})
