import { type HighlightRange, splitByHighlights } from '../../text/highlights.ts'

/** Text of a crawled page with highlights. It is untrusted and only ever rendered as text. */
export function HighlightedText({
  text,
  ranges,
  markClass = 'rounded-sm bg-warn-soft px-px',
}: {
  text: string
  ranges: readonly HighlightRange[]
  markClass?: string
}) {
  return splitByHighlights(text, ranges).map((piece) =>
    piece.isHighlighted ? (
      <mark key={piece.at} className={`text-ink ${markClass}`}>
        {piece.text}
      </mark>
    ) : (
      <span key={piece.at}>{piece.text}</span>
    ),
  )
}
