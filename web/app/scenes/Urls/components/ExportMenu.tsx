import { Menu } from '../../../components/controls/Menu.tsx'
import { routeUrl } from '../../../server/api.ts'
import { type Filters, toUrlQuery } from '../filters.ts'

const FORMATS = [
  { format: 'csv', label: 'Table (CSV)' },
  { format: 'jsonl', label: 'Lines of JSON' },
  { format: 'json', label: 'JSON' },
  { format: 'graphml', label: 'Link graph (GraphML)' },
  { format: 'warc', label: 'Kept pages (WARC)' },
  { format: 'pages.jsonl', label: 'Kept pages (lines of JSON)' },
] as const

/** The urls that the table shows now, as a file. */
export function ExportMenu({ crawlId, filters }: { crawlId: string; filters: Filters }) {
  return (
    <Menu label="Export" icon="download">
      {(close) =>
        FORMATS.map(({ format, label }) => (
          <a
            key={format}
            download
            href={routeUrl('exportCrawl', { params: { crawl_id: crawlId }, query: { ...toUrlQuery(filters), format } })}
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
