/**
 * Formats for URLs as lines, JSON, a table or a database; for the link graph; and for the archived pages, the last two
 * of these for their content.
 */
export const EXPORT_FORMATS = [
  'jsonl',
  'json',
  'csv',
  'sqlite',
  'graphml',
  'neo4j',
  'cypher',
  'edges',
  'warc',
  'wacz',
  'pages.jsonl',
  'markdown',
  'chunks.jsonl',
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
