import { ReleasePatternButton } from '../../../components/crawl/ReleasePatternButton.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { useApi } from '../../../server/api.ts'
import { plural } from '../../../text/format.ts'

const SHOWN = 3

/** URL patterns that were excluded as traps, with a button to release each. */
export function ExcludedPatterns(props: { crawlId: string; refetchInterval: number | false; className: string }) {
  const { crawlId, refetchInterval, className } = props
  const traps = useApi('listTraps', { params: { crawl_id: crawlId } }, { refetchInterval })
  const canControl = useHasScope('crawl')
  const excluded = (traps.data?.items ?? []).filter(({ saved }) => saved > 0)
  if (excluded.length === 0) return null
  const total = excluded.reduce((sum, { saved }) => sum + saved, 0)
  return (
    <section
      aria-label="Excluded patterns"
      className={`rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn ${className}`}
    >
      <p>{plural(total, 'URL')} excluded as a trap: their pages repeat each other.</p>
      <ul>
        {excluded.slice(0, SHOWN).map(({ pattern, saved, example }) => (
          <li key={pattern} className="mt-1 flex flex-wrap items-center gap-2">
            <span className="break-all">
              {plural(saved, 'URL')} linked from <code>{pattern}</code>, for example {example}
            </span>
            {canControl ? <ReleasePatternButton crawlId={crawlId} pattern={pattern} /> : null}
          </li>
        ))}
      </ul>
      {excluded.length > SHOWN ? <p>{plural(excluded.length - SHOWN, 'more pattern')} under Hosts.</p> : null}
    </section>
  )
}
