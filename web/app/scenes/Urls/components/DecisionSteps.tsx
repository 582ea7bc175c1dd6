import { Badge } from '../../../components/display/Badge.tsx'
import type { UrlDetails } from '../../../server/api.ts'

const STEPS = {
  address: 'Address',
  scope: 'Scope',
  shape: 'Shape',
  filter: 'Filters',
  depth: 'Depth',
  trap: 'Traps',
  robots: 'robots.txt',
  host: 'Host',
  limit: 'Limits',
} as const

const TONES = { passed: 'good', refused: 'bad', unknown: 'neutral' } as const

/** The decision step by step, in the order in which it is made. */
export function DecisionSteps({
  steps,
  line,
}: {
  steps: UrlDetails['explanation']['steps']
  /** Of robots.txt, that decided. */
  line: string | null
}) {
  return (
    <ul className="flex flex-col gap-1">
      {steps.map(({ step, outcome, detail }) => (
        <li key={step} className="grid grid-cols-[5rem_4.5rem_1fr] items-baseline gap-2">
          <span className="font-medium">{STEPS[step]}</span>
          <span>
            <Badge tone={TONES[outcome]}>{outcome}</Badge>
          </span>
          <span className="min-w-0 break-words text-muted">{detail}</span>
        </li>
      ))}
      {line === null ? null : (
        <li className="mt-1 rounded border border-line bg-sunken px-2 py-1 font-mono text-xs break-all">{line}</li>
      )}
    </ul>
  )
}
