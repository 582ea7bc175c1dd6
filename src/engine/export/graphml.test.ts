import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COLUMNS } from './columns.ts'
import { toGraphml } from './graphml.ts'
import { anyRow } from './testing/arbitrary-rows.ts'
import { joinChunks, sampleRow, stream } from './testing/sample-rows.ts'

/** Checks nesting, characters and references, and returns the texts of one data key. */
function readXml(xml: string, key: string): string[] {
  assert.doesNotMatch(xml, /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '')
  assert.notEqual(body, xml)
  const open: string[] = []
  const texts: string[] = []
  let wanted = false
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+/g)) {
    const tag = /^<(\/?)([\w.]+)((?: [\w.]+="[^"<&]*")*)(\/?)>$/.exec(token)
    if (tag === null) {
      assert.doesNotMatch(token, /[<>]|&(?!amp;|lt;|gt;|quot;|#13;)/)
      if (wanted) texts.push(decode(token))
      wanted = false
    } else if (tag[1] === '/') {
      assert.equal(open.pop(), tag[2])
      if (wanted) texts.push('')
      wanted = false
    } else if (tag[4] !== '/') {
      open.push(tag[2] ?? '')
      wanted = tag[3] === ` key="${key}"`
    }
  }
  assert.deepEqual(open, [])
  return texts
}

function decode(text: string): string {
  const plain = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#13;': '\r', '&amp;': '&' }
  return text.replace(/&[^;]+;/g, (entity) => plain[entity as keyof typeof plain])
}

test('the document is well-formed and preserves titles, whatever they contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 6 }), async (rows) => {
      const xml = await joinChunks(toGraphml(stream(rows), stream([{ from: 1, to: 2 }])))
      const titles = rows.flatMap((row) => (row.title === null ? [] : [row.title]))
      const legal = titles.map((title) => title.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
      assert.deepEqual(readXml(xml, 'title'), legal)
    }),
  )
})

test('URLs are nodes with their attributes and links are edges', async () => {
  const rows = [sampleRow({ id: 1, title: null }), sampleRow({ id: 2, title: 'A < B & C' })]
  const xml = await joinChunks(
    toGraphml(
      stream(rows),
      stream([
        { from: 1, to: 2 },
        { from: 2, to: 2 },
      ]),
    ),
  )
  assert.equal(xml.match(/<node id="n\d+">/g)?.length, 2)
  assert.ok(xml.includes('<data key="title">A &lt; B &amp; C</data>'))
  assert.ok(xml.includes('<data key="http_status">200</data>'))
  assert.ok(
    xml.includes('<edge source="n1" target="n2"/>\n    <edge source="n2" target="n2"/>\n  </graph>\n</graphml>\n'),
  )
})

test('every column is declared with its type', async () => {
  const xml = await joinChunks(toGraphml(stream([]), stream([])))
  for (const { name, type } of COLUMNS) {
    assert.ok(xml.includes(`<key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`))
  }
})
