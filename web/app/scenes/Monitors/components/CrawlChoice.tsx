import { useState } from 'react'
import { Field } from '../../../components/controls/Field.tsx'
import { Select } from '../../../components/controls/Input.tsx'
import { useApi } from '../../../server/api.ts'
import { formatDateTime, shortUrl } from '../../../text/format.ts'

/** All crawls, or some of them. */
export function CrawlChoice({
  selected,
  onChange,
}: {
  selected: readonly string[]
  onChange: (crawlIds: readonly string[]) => void
}) {
  const [isSome, setIsSome] = useState(selected.length > 0)
  const crawls = useApi('listCrawls', { query: { limit: 200 } }, { enabled: isSome })
  const listed = crawls.data?.items ?? []
  const unlisted = selected.filter((id) => !listed.some(({ crawl_id }) => crawl_id === id))
  const choices = [
    ...listed.map(({ crawl_id, root_url, created_at }) => {
      return { id: crawl_id, label: `${shortUrl(root_url)}, ${formatDateTime(new Date(created_at))}` }
    }),
    ...unlisted.map((id) => ({ id, label: id })),
  ]
  return (
    <div className="flex flex-col gap-2">
      <Field label="Crawls">
        {(ids) => (
          <Select
            {...ids}
            value={isSome ? 'some' : 'all'}
            onChange={(event) => {
              setIsSome(event.target.value === 'some')
              if (event.target.value === 'all') onChange([])
            }}
          >
            <option value="all">All crawls, including future ones</option>
            <option value="some">Selected crawls</option>
          </Select>
        )}
      </Field>
      {isSome ? (
        <fieldset className="max-h-40 overflow-y-auto rounded-md border border-line p-1">
          <legend className="sr-only">Selected crawls</legend>
          {choices.map(({ id, label }) => (
            <label key={id} className="flex min-h-7 items-center gap-2 rounded px-1.5 hover:bg-hover">
              <input
                type="checkbox"
                checked={selected.includes(id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...selected, id] : selected.filter((other) => other !== id))
                }
              />
              <span className="min-w-0 truncate">{label}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}
