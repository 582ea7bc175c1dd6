import { Field } from '../../../components/controls/Field.tsx'
import { Select } from '../../../components/controls/Input.tsx'
import type { CrawlProgress } from '../../../server/api.ts'
import { formatDateTime, plural, shortUrl } from '../../../text/format.ts'

export function CrawlSelect({
  label,
  crawls,
  value,
  onSelect,
}: {
  label: string
  crawls: readonly CrawlProgress[]
  value: string
  onSelect: (crawlId: string) => void
}) {
  const isListed = value === '' || crawls.some((crawl) => crawl.crawl_id === value)
  return (
    <div className="min-w-0 flex-1">
      <Field label={label}>
        {(ids) => (
          <Select {...ids} value={value} onChange={(event) => onSelect(event.target.value)}>
            <option value="">Select a crawl</option>
            {isListed ? null : <option value={value}>{value}</option>}
            {crawls.map((crawl) => (
              <option key={crawl.crawl_id} value={crawl.crawl_id}>
                {shortUrl(crawl.root_url)}, {formatDateTime(new Date(crawl.created_at))}, {plural(crawl.total, 'URL')}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  )
}
