import { useApi } from '../../server/api.ts'
import { ErrorState } from '../display/EmptyState.tsx'
import { ScrollArea } from '../display/ScrollArea.tsx'
import { SkeletonRows } from '../display/Skeleton.tsx'

/** The text or the headers of an archived page. Text only: crawled content is never interpreted as HTML. */
export function PageText({
  title,
  pageId,
  part = 'text',
}: {
  title: string
  pageId: number
  part?: 'text' | 'headers'
}) {
  const { data, error } = useApi('getPage', { params: { page_id: pageId } }, { staleTime: 60_000 })
  if (error !== null) return <ErrorState error={error} />
  if (data === undefined) return <SkeletonRows rows={4} />
  const text =
    part === 'text'
      ? data.text_content
      : Object.entries(data.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')
  return (
    <ScrollArea label={title} className="max-h-96 rounded border border-line bg-sunken">
      <pre className="p-2 font-mono text-xs break-words whitespace-pre-wrap">{text === '' ? 'No text.' : text}</pre>
    </ScrollArea>
  )
}
