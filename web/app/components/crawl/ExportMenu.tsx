import { routeUrl } from '../../server/api.ts'
import { formatsFor } from '../../text/export-formats.ts'
import { Menu } from '../controls/Menu.tsx'

/** Downloads the URLs of a crawl, or the URLs that match a filter, in the formats that support filters. */
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
        formatsFor(filter).map(({ format, label }) => (
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
