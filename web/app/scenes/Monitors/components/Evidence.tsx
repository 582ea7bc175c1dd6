import { FieldChanges } from '../../../components/diff/FieldChanges.tsx'
import { HighlightedText } from '../../../components/display/HighlightedText.tsx'
import { formatNumber, plural } from '../../../text/format.ts'
import type { Hit } from '../useHits.ts'

type HitEvidence = Hit['evidence']
type Copy = Extract<HitEvidence, { kind: 'copies' }>['copies'][number]
type Passage = Copy['on_page']

/** What the monitor found on the page. */
export function Evidence({ evidence }: { evidence: HitEvidence }) {
  switch (evidence.kind) {
    case 'passages':
      return (
        <section aria-label="Evidence" className="flex flex-col gap-2">
          <h3 className="font-semibold">{plural(evidence.matches, 'match', 'matches')}</h3>
          {evidence.passages.map((passage, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: passages have no id and never move
            <Quote key={at} passage={passage} markClass="rounded-sm bg-warn-soft px-px font-medium" />
          ))}
        </section>
      )
    case 'value':
      return (
        <section aria-label="Evidence">
          <FieldChanges
            changes={[
              { field: 'value', label: 'Value', before: valueText(evidence.before), after: valueText(evidence.after) },
            ]}
          />
        </section>
      )
    case 'copies':
      return (
        <section aria-label="Evidence" className="flex flex-col gap-5">
          {evidence.copies.map((copy, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: copies have no id and never move
            <CopiedPassage key={at} copy={copy} />
          ))}
          {evidence.matches > evidence.copies.length ? (
            <p className="text-muted">
              The longest {formatNumber(evidence.copies.length)} of {plural(evidence.matches, 'copied passage')}.
            </p>
          ) : null}
        </section>
      )
  }
}

/** Both passages side by side, with the words that differ marked. */
function CopiedPassage({ copy }: { copy: Copy }) {
  const mark = 'rounded-xs underline decoration-1 underline-offset-3'
  return (
    <section aria-label={`Copy of ${copy.title}`}>
      <h3 className="font-semibold break-words">Copy of {copy.title}</h3>
      <p className="mb-2 text-muted">
        {formatNumber(copy.same)} of {plural(copy.words, 'word')} are the same; the others are highlighted.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <figure className="min-w-0">
          <figcaption className="mb-1 text-xs text-muted">On the page</figcaption>
          <Quote passage={copy.on_page} markClass={`${mark} bg-added-word`} />
        </figure>
        <figure className="min-w-0">
          <figcaption className="mb-1 text-xs text-muted">In the document</figcaption>
          <Quote passage={copy.in_document} markClass={`${mark} bg-removed-word`} />
        </figure>
      </div>
    </section>
  )
}

function Quote({ passage, markClass }: { passage: Passage; markClass: string }) {
  return (
    <blockquote className="rounded border border-line bg-sunken p-2 break-words whitespace-pre-wrap">
      <HighlightedText text={passage.text} ranges={passage.highlights} markClass={markClass} />
    </blockquote>
  )
}

function valueText(value: string | null): string {
  return value === null || value === '' ? 'none' : value
}
