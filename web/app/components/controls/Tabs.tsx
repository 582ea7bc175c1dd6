import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'

/** Tabs that are links, each with its own URL. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly { href: string; label: string }[] }) {
  const [location] = useLocation()
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the tabs scroll, and the current one may be outside.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the location decides which tab is current
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [location])
  return (
    <nav ref={nav} aria-label={label} className="-mb-px flex gap-1 overflow-x-auto">
      {tabs.map((tab) => {
        const isCurrent = location === tab.href
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={isCurrent ? 'page' : undefined}
            className={`flex h-9 items-center border-b-2 px-2.5 font-medium whitespace-nowrap focus-visible:-outline-offset-2 ${
              isCurrent ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'
            }`}
          >
            {tab.label}
          </Link>
        )
      })}
    </nav>
  )
}

/** Tabs that switch content in place. */
export function Tabs<T extends string>({
  label,
  tabs,
  current,
  onSelect,
}: {
  label: string
  tabs: readonly { id: T; label: string }[]
  current: T
  onSelect: (id: T) => void
}) {
  return (
    <div role="tablist" aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === current}
          onClick={() => onSelect(tab.id)}
          className={`-mb-px flex h-8 items-center border-b-2 px-2.5 font-medium whitespace-nowrap focus-visible:-outline-offset-2 ${
            tab.id === current ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'
          }`}
        >
          {tab.label}
        </button>
      ))}
    </div>
  )
}
