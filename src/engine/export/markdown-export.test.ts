import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageVersion } from '../../ports/pages.ts'
import type { ArchivedPage } from '../pages/read-archived-page.ts'
import { toMarkdownZip } from './markdown-export.ts'
import { readZipEntries } from './wacz/testing/read-zip-entries.ts'

const PAGES: Record<string, { words: number; html: string | null; contentType: string }> = {
  '/': {
    words: 9,
    html: '<p>See a long list of words about <a href=/folder>a</a> <a href=/image>b</a> <a href=/list?x>c</a></p>',
    contentType: 'text/html',
  },
  '/folder/': { words: 1, html: 'd', contentType: 'text/html' },
  '/image': { words: 0, html: null, contentType: 'image/png' },
  '/image/': { words: 1, html: 'e', contentType: 'text/html' },
  '/list?x/': { words: 1, html: 'f', contentType: 'text/html' },
}

const VERSIONS = Object.entries(PAGES).map(([path, { words, contentType }], i) => {
  const facts = { isArchived: true, redirectTo: null, httpStatus: 200, visitedAt: 0, title: null, lang: null }
  return { ...facts, id: i + 1, url: `https://example.com${path}`, words, contentType, contentHash: '' } as PageVersion
})

test('a link leads to a folder if there is no page without the last slash', async () => {
  const readPage = async (version: PageVersion) => {
    const page = PAGES[version.url.slice('https://example.com'.length)]
    return { version, html: page?.html ?? null, text: '' } as ArchivedPage
  }
  const zip = toMarkdownZip({
    listPages: async function* () {
      yield* VERSIONS
    },
    readPage,
    onDamaged: (what) => assert.fail(what),
    now: () => 0,
    seed: 1,
  })
  const entries = readZipEntries(Buffer.concat(await Array.fromAsync(zip)))
  const index = entries.find(({ path }) => path === 'example.com/index.md')?.bytes.toString()
  assert.ok(
    index?.endsWith('about [a](folder/index.md) [b](https://example.com/image) [c](https://example.com/list?x)\n'),
    index,
  )
})
