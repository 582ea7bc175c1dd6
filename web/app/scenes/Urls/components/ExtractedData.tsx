import { useState } from 'react'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { useDebounced } from '../../../hooks/useDebounced.ts'
import { errorMessage, useApi } from '../../../server/api.ts'
import { plural } from '../../../text/format.ts'

/** The data extracted from a version while crawling, and a selector to try on it. */
export function ExtractedData({ pageId, isArchived }: { pageId: number; isArchived: boolean }) {
  const { data, error } = useApi('getPageData', { params: { page_id: pageId } }, { staleTime: 60_000 })
  if (error !== null) return <ErrorState error={error} />
  if (data === undefined) return <SkeletonRows rows={4} />
  const { fields, structured_data: structured } = data
  return (
    <div className="flex flex-col gap-3">
      {fields === null && structured === null ? (
        <p className="text-muted">Nothing was extracted. A new crawl can extract fields and structured data.</p>
      ) : null}
      {fields === null ? null : (
        <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1">
          {Object.entries(fields).map(([name, value]) => (
            <FieldRow key={name} name={name} value={value} />
          ))}
        </dl>
      )}
      {structured === null ? null : <Text label="Structured data" text={JSON.stringify(structured, null, 2)} />}
      {isArchived ? <SelectorTrial pageId={pageId} /> : null}
    </div>
  )
}

function FieldRow({ name, value }: { name: string; value: string | number | null | (string | number)[] }) {
  const values = Array.isArray(value) ? value : value === null ? [] : [value]
  return (
    <>
      <dt className="truncate text-muted">{name}</dt>
      <dd className="min-w-0 break-words whitespace-pre-wrap">
        {values.length === 0 ? <span className="text-muted">Not found</span> : values.join('\n')}
      </dd>
    </>
  )
}

/** Shows what a CSS selector matches on the page, before a rule uses it. */
function SelectorTrial({ pageId }: { pageId: number }) {
  const [selector, setSelector] = useState('')
  const wanted = useDebounced(selector.trim(), 250)
  const body = { rules: [{ name: 'value', selector: wanted, many: true }] }
  const { data, error } = useApi('extractFromPage', { params: { page_id: pageId }, body }, { enabled: wanted !== '' })
  const field = wanted === '' ? undefined : data?.fields[0]
  const values = Array.isArray(field?.value) ? field.value : []
  const problem = wanted === '' || error === null ? undefined : errorMessage(error)
  return (
    <div className="flex flex-col gap-1">
      <Field label="Try a CSS selector" problem={problem}>
        {(ids) => <Input {...ids} value={selector} onChange={(event) => setSelector(event.target.value)} />}
      </Field>
      {field === undefined ? null : <p className="text-muted">{plural(field.matches, 'element')}</p>}
      {values.length === 0 ? null : <Text label="Values" text={values.join('\n')} />}
    </div>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <ScrollArea label={label} className="max-h-96 rounded border border-line bg-sunken">
      <pre className="p-2 font-mono text-xs break-words whitespace-pre-wrap">{text}</pre>
    </ScrollArea>
  )
}
