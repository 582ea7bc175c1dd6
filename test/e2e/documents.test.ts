// Documents other than HTML: what is extracted from them, and what is recorded about odd ones.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { makeDocx, makeEpub, makeOdt } from '../../src/engine/media/testing/zip-files.ts'
import { linkAnnotation, makePdf, onePageObjects } from '../../src/worker/testing/pdf-files.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const FOUND = ['/from-text', '/from-feed', '/from-pdf', '/from-epub', '/from-docx', '/from-odt', '/from-gzip']
const TEXTS = { '/book.epub': /Book/, '/letter.docx': /Word/, '/letter.odt': /Open x/, '/changes.gz': /changes, see/ }
const FAST = ['--delay', '0', '--ignore-robots', '--no-traps']

describe('documents', () => {
  it('are read for links and metadata, or ignored with --no-documents', async (t) => {
    const links = [
      '/notes.txt',
      '/feed',
      '/paper.pdf',
      '/broken.pdf',
      '/locked.docx',
      '/odd',
      '/liar',
      '/book.epub',
      '/letter.docx',
      '/letter.odt',
      '/changes.gz',
    ].map((href) => `<a href="${href}">x</a>`)
    const site = await servePlainSite(t, (path) => {
      const type = (value: string) => ({ 'content-type': value })
      switch (path) {
        case '/':
          return links.join('')
        case '/notes.txt':
          return { headers: type('text/plain'), body: `see ${site.origin}/from-text for more` }
        case '/feed':
          return {
            headers: type('application/rss+xml'),
            body: `<rss><channel><title>News</title><item><link>${site.origin}/from-feed</link></item></channel></rss>`,
          }
        case '/paper.pdf':
          return {
            headers: type('application/pdf'),
            body: makePdf(onePageObjects(['(Hello paper)'], [linkAnnotation(`${site.origin}/from-pdf`)])),
          }
        case '/book.epub':
          return {
            headers: type('application/epub+zip'),
            body: makeEpub([`<p>Book <a href="${site.origin}/from-epub">`]),
          }
        case '/letter.docx': {
          const target = `<Relationship Id="r1" Target="${site.origin}/from-docx" TargetMode="External"/>`
          const text = '<w:p><w:hyperlink r:id="r1"><w:t>Word</w:t></w:hyperlink></w:p>'
          return { headers: type(DOCX), body: makeDocx(text, { 'word/_rels/document.xml.rels': target }) }
        }
        case '/letter.odt': {
          const text = `<text:p>Open <text:a xlink:href="${site.origin}/from-odt">x</text:a></text:p>`
          return { headers: type('application/octet-stream'), body: makeOdt(text) }
        }
        case '/changes.gz':
          return { headers: type('application/gzip'), body: gzipSync(`changes, see ${site.origin}/from-gzip`) }
        case '/locked.docx': {
          const locked = makeDocx('')
          locked.writeUInt16LE(1, locked.indexOf('PK\x01\x02') + 8)
          return { headers: type(DOCX), body: locked }
        }
        case '/broken.pdf':
          return { headers: type('application/pdf'), body: '%PDF-1.7 nonsense' }
        case '/odd':
          return { headers: type('text/html'), body: '%PDF-1.7 nonsense' }
        case '/liar':
          return { headers: type('text/html'), body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]) }
        default:
          return '<p>page</p>'
      }
    })
    const { rows, data } = await crawlPlainSite(t, site, FAST)
    for (const path of FOUND) assert.equal(rows.get(path)?.state, 'visited', path)
    assert.deepEqual(
      ['/paper.pdf', '/broken.pdf', '/odd', '/locked.docx'].map((path) => rows.get(path)?.reason),
      [null, 'pdf_broken', 'pdf_broken', 'docx_encrypted'],
    )
    assert.equal(rows.get('/feed')?.title, 'News')
    const show = async (path: string) => (await runInProcess(['page', `${site.origin}${path}`, '--data', data])).stdout
    assert.match(await show('/broken.pdf'), /note +pdf_broken/)
    const text = await runInProcess(['page', `${site.origin}/paper.pdf`, '--text', '--data', data])
    assert.match(text.stdout, /Hello paper/)
    const record = await runInProcess(['page', `${site.origin}/paper.pdf`, '--json', '--data', data])
    assert.equal(JSON.parse(record.stdout).metadata.page_count, 1)
    assert.match(await show('/odd'), /note +pdf_broken; labelled text\/html, is application\/pdf\n/)
    assert.match(await show('/liar'), /note +labelled text\/html, is image\/png/)

    for (const [path, words] of Object.entries(TEXTS)) {
      const { stdout } = await runInProcess(['page', `${site.origin}${path}`, '--text', '--data', data])
      assert.match(stdout, words, path)
    }

    const without = await crawlPlainSite(t, site, [...FAST, '--no-documents'])
    for (const path of FOUND) assert.equal(without.rows.get(path), undefined, path)
  })
})
