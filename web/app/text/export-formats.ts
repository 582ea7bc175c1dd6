// The export formats of a crawl as the web app offers them.

const FORMATS = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON Lines' },
  { format: 'json', label: 'JSON' },
  { format: 'sqlite', label: 'SQLite' },
  { format: 'graphml', label: 'Link graph (GraphML)' },
  { format: 'neo4j', label: 'Link graph (Neo4j CSV)' },
  { format: 'cypher', label: 'Link graph (Cypher)' },
  { format: 'edges', label: 'Link graph (edge list)' },
  { format: 'warc', label: 'Archived pages (WARC)' },
  { format: 'wacz', label: 'Archived pages (WACZ)' },
  { format: 'pages.jsonl', label: 'Archived pages (JSON Lines)' },
  { format: 'markdown', label: 'Content as Markdown (zip)' },
  { format: 'chunks.jsonl', label: 'Content in chunks (JSON Lines)' },
] as const

/** Formats with a row per URL. The server refuses a filter for the others. */
const FILTERABLE: readonly string[] = ['csv', 'jsonl', 'json']

/** `filter`: query parameters of exportCrawl. */
export function formatsFor(filter: Record<string, unknown>): readonly { format: Format; label: string }[] {
  const isFiltered = Object.keys(filter).length > 0
  return isFiltered ? FORMATS.filter(({ format }) => FILTERABLE.includes(format)) : FORMATS
}

type Format = (typeof FORMATS)[number]['format']
