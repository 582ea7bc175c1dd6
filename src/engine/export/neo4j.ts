// The link graph for Neo4j: CSV files with typed headers for `neo4j-admin database import`, or a Cypher script. URLs are
// nodes with the label Url, links are relationships of the type LINKS_TO.

import type { Edge } from '../../ports/urls.ts'
import { type CellValue, COLUMNS, type ExportRow } from './columns.ts'
import { encodeInChunks } from './encode-in-chunks.ts'
import { ZipWriter } from './wacz/zip-writer.ts'

const [, ...PROPERTIES] = COLUMNS
const NODES_HEAD = ['id:ID', ...PROPERTIES.map(({ name, type }) => `${name}:${type}`), ':LABEL'].join(',')
const LINKS_HEAD = ':START_ID,:END_ID,:TYPE'

/** A zip file with nodes.csv and relationships.csv. */
export async function* toNeo4jZip(
  rows: AsyncIterable<ExportRow>,
  edges: AsyncIterable<Edge>,
  now: number,
): AsyncGenerator<Buffer> {
  const zip = new ZipWriter(now)
  const nodes = encodeInChunks(rows, nodeLine, { head: `${NODES_HEAD}\n`, tail: '' })
  yield* zip.compressedEntry('nodes.csv', toBuffers(nodes))
  const links = encodeInChunks(edges, linkLine, { head: `${LINKS_HEAD}\n`, tail: '' })
  yield* zip.compressedEntry('relationships.csv', toBuffers(links))
  yield zip.end()
}

async function* toBuffers(chunks: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

function nodeLine(row: ExportRow): string {
  return `${row.id},${PROPERTIES.map(({ value }) => importCell(value(row))).join(',')},Url\n`
}

function linkLine({ from, to }: Edge): string {
  return `${from},${to},LINKS_TO\n`
}

/** The importer reads a value per line and no line breaks in it. An empty value without quotes is none. */
function importCell(value: CellValue): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : `"${value.replace(/\s+/g, ' ').replaceAll('"', '""')}"`
}

const AT_ONCE = 500

/** Statements for cypher-shell; running them again changes nothing. */
export async function* toCypher(
  rows: AsyncIterable<ExportRow>,
  edges: AsyncIterable<Edge>,
): AsyncGenerator<string, void, undefined> {
  yield 'CREATE CONSTRAINT orbweaver_url IF NOT EXISTS FOR (u:Url) REQUIRE u.id IS UNIQUE;\n'
  for await (const list of inBatches(rows, nodeMap))
    yield `UNWIND [\n${list}\n] AS row MERGE (u:Url {id: row.id}) SET u = row;\n`
  for await (const list of inBatches(edges, ({ from, to }) => `[${from}, ${to}]`))
    yield `UNWIND [\n${list}\n] AS link MATCH (a:Url {id: link[0]}) MATCH (b:Url {id: link[1]}) MERGE (a)-[:LINKS_TO]->(b);\n`
}

async function* inBatches<T>(items: AsyncIterable<T>, encode: (item: T) => string): AsyncGenerator<string> {
  let batch: string[] = []
  for await (const item of items) {
    batch.push(encode(item))
    if (batch.length < AT_ONCE) continue
    yield batch.join(',\n')
    batch = []
  }
  if (batch.length > 0) yield batch.join(',\n')
}

/** A property that is null would not be set. */
function nodeMap(row: ExportRow): string {
  const cells = COLUMNS.map(({ name, value }) => ({ name, cell: value(row) })).filter(({ cell }) => cell !== null)
  return `{${cells.map(({ name, cell }) => `${name}: ${cypherLiteral(cell)}`).join(', ')}}`
}

/**
 * Every escape of JSON strings is also valid in Cypher. But Neo4j may replace \uXXXX in the text of a query before
 * parsing it, so a title with these characters could end its string. Such a string is written as two that are joined.
 */
function cypherLiteral(cell: CellValue): string {
  return JSON.stringify(cell).replace(/\\(?:\\u|.)/g, (each) => (each === '\\\\u' ? '\\\\" + "u' : each))
}
