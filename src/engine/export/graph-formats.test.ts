import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COLUMNS } from './columns.ts'
import { toEdgeList } from './edge-list.ts'
import { toCypher, toNeo4jZip } from './neo4j.ts'
import { anyRow } from './testing/arbitrary-rows.ts'
import { joinChunks, manyEdges, manyRows, stream } from './testing/sample-rows.ts'
import { readZipEntries } from './wacz/testing/read-zip-entries.ts'

/** An independent CSV reader: RFC 4180 without line breaks in cells. Null is an empty cell without quotes. */
function readCsv(text: string): (string | null)[][] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const cells: (string | null)[] = []
      let at = 0
      for (;;) {
        if (line[at] === '"') {
          let cell = ''
          for (at += 1; line[at] !== '"' || line[at + 1] === '"'; at += 1) {
            assert.ok(at < line.length, 'a quote is not closed')
            if (line[at] === '"') at += 1
            cell += line[at]
          }
          cells.push(cell)
          at += 1
        } else {
          const end = line.indexOf(',', at)
          const cell = line.slice(at, end === -1 ? line.length : end)
          cells.push(cell === '' ? null : cell)
          at += cell.length
        }
        if (at === line.length) return cells
        assert.equal(line[at], ',')
        at += 1
      }
    })
}

async function readZip(chunks: AsyncIterable<Buffer>): Promise<Map<string, string>> {
  const bytes = Buffer.concat(await Array.fromAsync(chunks))
  return new Map(readZipEntries(bytes).map(({ path, bytes: content }) => [path, content.toString()]))
}

test('Neo4j files have typed headers, and every value of every row', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 6 }), async (rows) => {
      const files = await readZip(toNeo4jZip(stream(rows), stream([{ from: 1, to: 2 }]), 0))
      const [head, ...lines] = readCsv(files.get('nodes.csv') ?? '')
      const types = { string: 'string', int: 'int', long: 'long', double: 'double' }
      const names = COLUMNS.map(({ name, type }) => (name === 'id' ? 'id:ID' : `${name}:${types[type]}`))
      assert.deepEqual(head, [...names, ':LABEL'])
      const expected = rows.map((row) => [
        ...COLUMNS.map(({ value }) => {
          const cell = value(row)
          return cell === null ? null : Buffer.from(String(cell).replace(/\s+/g, ' ')).toString()
        }),
        'Url',
      ])
      assert.deepEqual(lines, expected)
      assert.equal(files.get('relationships.csv'), ':START_ID,:END_ID,:TYPE\n1,2,LINKS_TO\n')
    }),
  )
})

/** Reads the literals of a script: lists, maps with plain names, strings with escapes, and numbers. */
function readLiteral(text: string): unknown {
  const names = text.replace(/("(?:\\.|[^"\\])*")|([{,]\s*)([a-z_]+):/g, (all, string, before, name) =>
    string === undefined ? `${before}"${name}":` : all,
  )
  return JSON.parse(names.replaceAll('\\\\" + "u', '\\\\u'))
}

test('a Cypher script creates every node and relationship, in batches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 6 }), async (rows) => {
      const script = await joinChunks(toCypher(stream(rows), stream([{ from: 1, to: 2 }])))
      const nodes = /\nUNWIND (\[\n[\s\S]*?\n\]) AS row MERGE \(u:Url \{id: row\.id\}\) SET u = row;\n/.exec(script)
      const expected = rows.map((row) =>
        Object.fromEntries(COLUMNS.map(({ name, value }) => [name, value(row)]).filter(([, cell]) => cell !== null)),
      )
      assert.deepEqual(readLiteral(nodes?.[1] ?? ''), expected)
    }),
  )
  const large = await joinChunks(toCypher(manyRows(1200), manyEdges(1200)))
  assert.equal(large.match(/^UNWIND /gm)?.length, 6)
  assert.equal(large.match(/^\[\d+, \d+\],?$/gm)?.length, 1200)
  assert.match(large, /^CREATE CONSTRAINT /)
})

test('a Cypher script has no escapes of Unicode that a page has written', async () => {
  const titles = ['\\u0022}) DETACH DELETE u //', '\\\\u0027', '\\\u0001u']
  const [row] = fc.sample(anyRow, 1)
  assert.ok(row)
  for (const title of titles) {
    const script = await joinChunks(toCypher(stream([{ ...row, title }]), stream([])))
    const literal = /title: ("(?:\\.|[^"\\])*"(?: \+ "(?:\\.|[^"\\])*")*), /.exec(script)?.[1] ?? ''
    assert.doesNotMatch(literal, /\\u00[2-7]/, title)
    const parts = literal.split(' + ').map((part) => String(JSON.parse(part)))
    assert.equal(parts.join(''), title)
  }
})

test('an edge list names both ends of every link', async () => {
  const urlsOf = async (_: string, ids: readonly number[]) => new Map(ids.map((id) => [id, `http://a.test/${id}`]))
  const lines = (await joinChunks(toEdgeList(manyEdges(2500), 'c', { urlsOf }))).split('\n')
  assert.equal(lines.pop(), '')
  assert.deepEqual(
    lines,
    Array.from({ length: 2500 }, (_, i) => `http://a.test/${i + 1}\thttp://a.test/${((i + 1) % 2500) + 1}`),
  )
  assert.equal(await joinChunks(toEdgeList(stream([]), 'c', { urlsOf })), '')
})
