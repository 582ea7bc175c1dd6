/** Of urls as lines, JSON or a table; of the link graph; of the pages that were kept. */
export const EXPORT_FORMATS = ['jsonl', 'json', 'csv', 'graphml', 'warc', 'wacz', 'pages.jsonl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
