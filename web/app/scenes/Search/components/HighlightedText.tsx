import { splitByHighlights } from '../highlights.ts'

/** Text of a stranger's page with places marked. It is never anything but text. */
export function HighlightedText({ text, places }: { text: string; places: readonly (readonly [number, number])[] }) {
  return splitByHighlights(text, places).map((textPiece) =>
    textPiece.isMarked ? (
      <mark key={textPiece.at} className="rounded-sm bg-warn-soft px-px text-ink">
        {textPiece.text}
      </mark>
    ) : (
      <span key={textPiece.at}>{textPiece.text}</span>
    ),
  )
}
