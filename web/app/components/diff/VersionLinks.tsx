import { ArchivedPageLink } from '../display/ArchivedPageLink.tsx'

/** Links to two compared versions as they looked; null: not archived. */
export function VersionLinks({ before, after }: { before: number | null; after: number | null }) {
  if (before === null && after === null) return null
  return (
    <p className="flex gap-3">
      {before === null ? null : <ArchivedPageLink pageId={before} label="View page before" />}
      {after === null ? null : <ArchivedPageLink pageId={after} label="View page after" />}
    </p>
  )
}
