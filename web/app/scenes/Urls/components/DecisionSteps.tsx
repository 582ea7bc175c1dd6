import { Badge } from '../../../components/display/Badge.tsx'
import type { UrlDetails } from '../../../server/api.ts'

const STEP_LABELS = {
  address: 'URL',
  scope: 'Scope',
  shape: 'URL shape',
  filter: 'Filters',
  depth: 'Depth',
  trap: 'Traps',
  robots: 'robots.txt',
  host: 'Host',
  policy: 'Policy',
  limit: 'Limits',
  priority: 'Priority',
  proxy: 'Proxy',
  render: 'Rendering',
  revisit: 'Revisit',
} as const

const OUTCOME_STYLES = {
  passed: { label: 'Passed', tone: 'good' },
  refused: { label: 'Rejected', tone: 'bad' },
  unknown: { label: 'Unknown', tone: 'neutral' },
} as const

/** The steps of the decision whether to visit a URL, in order. */
export function DecisionSteps({
  steps,
  line,
}: {
  steps: UrlDetails['explanation']['steps']
  /** The deciding line of robots.txt. */
  line: string | null
}) {
  return (
    <ul className="flex flex-col gap-1">
      {steps.map(({ step, outcome, detail }) => (
        <li key={step} className="grid grid-cols-[5rem_4.5rem_1fr] items-baseline gap-2">
          <span className="font-medium">{STEP_LABELS[step]}</span>
          <span>
            <Badge tone={OUTCOME_STYLES[outcome].tone}>{OUTCOME_STYLES[outcome].label}</Badge>
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
