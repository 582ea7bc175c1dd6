import { routeUrl } from '../../server/api.ts'
import { Menu } from '../controls/Menu.tsx'

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

/** Downloads the URLs of a crawl, or those of a filter. */
export function ExportMenu({
  crawlId,
  filter = {},
  side = 'right',
}: {
  crawlId: string
  /** Query parameters of exportCrawl. */
  filter?: Record<string, unknown>
  side?: 'left' | 'right'
}) {
  return (
    <Menu label="Export" icon="download" side={side}>
      {(close) =>
        FORMATS.map(({ format, label }) => (
          <a
            key={format}
            download
            href={routeUrl('exportCrawl', { params: { crawl_id: crawlId }, query: { ...filter, format } })}
            onClick={close}
            className="flex h-8 items-center rounded px-2 whitespace-nowrap hover:bg-hover"
          >
            {label}
          </a>
        ))
      }
    </Menu>
  )
}
