// GraphML: URLs are nodes, links are edges. http://graphml.graphdrawing.org/specification.html

import type { Edge } from '../../ports/urls.ts'
import { COLUMNS, type ExportRow } from './columns.ts'
import { encodeInChunks } from './encode-in-chunks.ts'

const HEAD = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
  ...COLUMNS.map(({ name, type }) => `  <key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`),
  '  <graph id="crawl" edgedefault="directed">',
  '',
].join('\n')

const TAIL = '  </graph>\n</graphml>\n'

export async function* toGraphml(
  rows: AsyncIterable<ExportRow>,
  edges: AsyncIterable<Edge>,
): AsyncGenerator<string, void, undefined> {
  yield* encodeInChunks(rows, nodeXml, { head: HEAD, tail: '' })
  yield* encodeInChunks(edges, edgeXml, { head: '', tail: TAIL })
}

function nodeXml(row: ExportRow): string {
  let data = ''
  for (const { name, value } of COLUMNS) {
    const cell = value(row)
    if (cell === null) continue
    data += `<data key="${name}">${typeof cell === 'number' ? cell : xmlText(cell)}</data>`
  }
  return `    <node id="n${row.id}">${data}</node>\n`
}

function edgeXml(edge: Edge): string {
  return `    <edge source="n${edge.from}" target="n${edge.to}"/>\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
// Char of XML 1.0, section 2.2: other characters cannot be written, not even as a reference.
const ILLEGAL = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

function xmlText(text: string): string {
  if (/^[ !#-%'-;=?-~]*$/.test(text)) return text
  const escaped = text.replace(/[&<>"\r]/g, (char) => ENTITIES[char] ?? '')
  return escaped.replace(ILLEGAL, '')
}
