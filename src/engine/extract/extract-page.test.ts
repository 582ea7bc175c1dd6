import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExtractRule } from '../../config/values/extract-rules.ts'
import { extractInTurns } from './extract-page.ts'
import { compileRules } from './read-fields.ts'

const PAGE = `<!doctype html><html lang=de><base href="/shop/"><title>Lamp</title>
<h1> A <b>lamp</b> </h1><p class=price>1.299,00 &euro;</p><p class=price>ab 12,50</p><p class=price>ask us</p>
<time datetime="2026-11-17T10:00+01:00">today</time><span class=date>17 November 2026</span>
<a href="b?x=1#y">next</a><img src=a.png><meta name=sku content=" X-1 "><div data-id="7"> </div>`

function extract(rules: ExtractRule[], html = PAGE) {
  return extractInTurns(html, 'http://site.test/page', { rules: compileRules(rules), structuredData: false })
}

const fieldsOf = async (rules: ExtractRule[], html = PAGE) => (await extract(rules, html)).data?.fields

describe('fields', () => {
  it('are the text or an attribute of the first element that matches', async () => {
    assert.deepEqual(
      await fieldsOf([
        { name: 'title', selector: 'h1' },
        { name: 'sku', selector: 'meta[name=sku]' },
        { name: 'id', selector: '[data-id]', attribute: 'DATA-ID' },
        { name: 'none', selector: '.none' },
        { name: 'empty', selector: '[data-id]' },
      ]),
      { title: 'A lamp', sku: 'X-1', id: '7', none: null, empty: null },
    )
  })

  it('have types: a number in the language of the page, a date, an absolute URL', async () => {
    assert.deepEqual(
      await fieldsOf([
        { name: 'price', selector: '.price', type: 'number' },
        { name: 'prices', selector: '.price', type: 'number', many: true },
        { name: 'at', selector: 'time', type: 'date' },
        { name: 'day', selector: '.date', type: 'date' },
        { name: 'next', selector: 'a', type: 'url' },
        { name: 'image', selector: 'img', type: 'url', many: true },
      ]),
      {
        price: 1299,
        prices: [1299, 12.5],
        at: '2026-11-17T09:00:00.000Z',
        day: '2026-11-17',
        next: 'http://site.test/shop/b?x=1#y',
        image: ['http://site.test/shop/a.png'],
      },
    )
  })

  it('skip texts that are not of their type, and name some', async () => {
    const { fields } = await extract([{ name: 'price', selector: '.price', type: 'number', many: true }])
    assert.deepEqual(fields.get('price'), { value: [1299, 12.5], matches: 3, rejected: ['ask us'] })
  })

  it('that are required and missing are noted', async () => {
    const { data, note } = await extract([
      { name: 'title', selector: 'h1', required: true },
      { name: 'author', selector: '.author', required: true },
      { name: 'tags', selector: '.tag', many: true, required: true },
    ])
    assert.deepEqual(data?.missing, ['author', 'tags'])
    assert.equal(note, 'missing_fields: author, tags')
    assert.deepEqual(data?.fields, { title: 'A lamp', author: null, tags: [] })
  })

  it('of a page that is too deeply nested are missing, and the page is noted', async () => {
    const { data, note } = await extract([{ name: 'x', selector: 'div' }], '<div>'.repeat(600))
    assert.deepEqual([data?.fields, note], [{ x: null }, 'too_large_to_extract'])
  })

  it('are bounded in number and size', async () => {
    const many = await extract([{ name: 'i', selector: 'i', many: true }], `<i>${'x'.repeat(20_000)}</i>`.repeat(100))
    const values = many.data?.fields?.['i']
    assert.ok(Array.isArray(values) && values.join('').length <= 200_000)
    const items = await extract([{ name: 'i', selector: 'i', many: true }], '<i>x</i>'.repeat(5000))
    const found = items.data?.fields?.['i']
    assert.equal(Array.isArray(found) ? found.length : null, 1000)
  })
})

it('other tasks run between the steps of a long page', async () => {
  const rules = Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, selector: 'p' }))
  let turns = 0
  const count = setInterval(() => (turns += 1), 0)
  await extract(rules, '<p>text</p>'.repeat(10_000))
  clearInterval(count)
  assert.ok(turns > 0)
})
