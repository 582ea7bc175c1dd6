import { type ReactNode, useId } from 'react'

export interface FieldIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/** A label, a control, and below it the problem or the help text. */
export function Field({
  label,
  help,
  problem,
  aside,
  children,
}: {
  label: string
  help?: ReactNode
  problem?: string | undefined
  /** Text beside the label, such as a unit. */
  aside?: ReactNode
  children: (ids: FieldIds) => ReactNode
}) {
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = problem !== undefined || help !== undefined
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside === undefined ? null : <span className="text-2xs text-muted">{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      {hasNote ? (
        <p id={noteId} className={`text-xs ${problem === undefined ? 'text-muted' : 'text-bad'}`}>
          {problem ?? help}
        </p>
      ) : null}
    </div>
  )
}
