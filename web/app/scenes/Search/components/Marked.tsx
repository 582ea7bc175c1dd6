import { piecesOf } from '../marks.ts'

/** Text of a stranger's page with places marked. It is never anything but text. */
export function Marked({ text, places }: { text: string; places: readonly (readonly [number, number])[] }) {
  return piecesOf(text, places).map((piece) =>
    piece.isMarked ? (
      <mark key={piece.at} className="rounded-sm bg-warn-soft px-px text-ink">
        {piece.text}
      </mark>
    ) : (
      <span key={piece.at}>{piece.text}</span>
    ),
  )
}
