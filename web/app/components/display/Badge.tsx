import type { ReactNode } from 'react'
import type { CrawlProgress, UrlState } from '../../server/api.ts'
import { partStyle } from '../../text/ledger.ts'
import { crawlStatusStyle } from '../../text/states.ts'

/** A coloured dot and a label. Only the dot has the colour, so the label keeps its contrast. */
export function DotBadge({ colour, label, isPulsing = false }: { colour: string; label: string; isPulsing?: boolean }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span
        className={`h-2 w-2 shrink-0 rounded-full ${isPulsing ? 'animate-pulse' : ''}`}
        style={{ background: colour }}
      />
      {label}
    </span>
  )
}

export function StateBadge({ state, reason = null }: { state: UrlState; reason?: string | null }) {
  const { colour, label } = partStyle({ state, reason })
  return <DotBadge colour={colour} label={label} />
}

export function StatusBadge({ crawl }: { crawl: CrawlProgress }) {
  const { label, colour, isWarning } = crawlStatusStyle(crawl)
  if (isWarning) return <Badge tone="warn">{label}</Badge>
  return <DotBadge colour={colour} label={label} isPulsing={crawl.status === 'running'} />
}

const TONES = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const

export type Tone = keyof typeof TONES

/** A short label on a tinted background. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 items-center rounded px-1.5 text-2xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}
