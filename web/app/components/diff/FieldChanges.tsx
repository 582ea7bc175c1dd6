export interface FieldChange {
  field: string
  label: string
  before: string
  after: string
}

/** Fields with their values before and after. */
export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className="grid min-w-0 gap-x-3 sm:grid-cols-[auto_1fr]">
      {changes.map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <del className="text-bad">{before}</del> <span aria-hidden="true">→</span>{' '}
            <ins className="text-good no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
