// The facts of a page that have changed, such as its title, as texts.

import type { FieldChange } from '../../components/diff/FieldChanges.tsx'
import type { Change } from '../../text/changes.ts'

type Facts = Change['facts']

const LABELS: Record<keyof Facts, string> = {
  title: 'Title',
  http_status: 'Status',
  redirect_to: 'Redirects to',
  canonical: 'Canonical',
  noindex: 'Marked noindex',
}

export function listFactChanges(facts: Facts): FieldChange[] {
  return (Object.keys(LABELS) as (keyof Facts)[]).flatMap((field) => {
    const fact = facts[field]
    if (fact === undefined) return []
    return [{ field, label: LABELS[field], before: factText(fact.before), after: factText(fact.after) }]
  })
}

function factText(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null || value === '' ? 'none' : String(value)
}
