import { type HighlightRange, splitByHighlights } from '../highlights.ts'

/** Text of a crawled page with highlights. It is untrusted and only ever rendered as text. */
export function HighlightedText({ text, ranges }: { text: string; ranges: readonly HighlightRange[] }) {
  return splitByHighlights(text, ranges).map((piece) =>
    piece.isHighlighted ? (
      <mark key={piece.at} className="rounded-sm bg-warn-soft px-px text-ink">
        {piece.text}
      </mark>
    ) : (
      <span key={piece.at}>{piece.text}</span>
    ),
  )
}
