import { Link, useLocation } from 'wouter'

/** Tabs that are places: each has an address of its own. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly { href: string; label: string }[] }) {
  const [location] = useLocation()
  return (
    <nav aria-label={label} className="-mb-px flex gap-1 overflow-x-auto">
      {tabs.map((tab) => {
        const isHere = location === tab.href
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={isHere ? 'page' : undefined}
            className={`flex h-9 items-center border-b-2 px-2.5 font-medium whitespace-nowrap focus-visible:-outline-offset-2 ${
              isHere ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'
            }`}
          >
            {tab.label}
          </Link>
        )
      })}
    </nav>
  )
}

/** Tabs within a page. */
export function Tabs<T extends string>({
  label,
  tabs,
  current,
  onChoose,
}: {
  label: string
  tabs: readonly { id: T; label: string }[]
  current: T
  onChoose: (id: T) => void
}) {
  return (
    <div role="tablist" aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === current}
          onClick={() => onChoose(tab.id)}
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
