/** Of URLs as lines, JSON or a table; of the link graph; of the archived pages, the last two of their content. */
export const EXPORT_FORMATS = [
  'jsonl',
  'json',
  'csv',
  'graphml',
  'warc',
  'wacz',
  'pages.jsonl',
  'markdown',
  'chunks.jsonl',
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
