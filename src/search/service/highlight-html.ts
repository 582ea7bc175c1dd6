type HighlightRanges = readonly (readonly [number, number])[]

/** Wraps the highlighted ranges. Pieces are escaped one by one, so that neighbours cannot form a tag. */
export function markHighlights(
  text: string,
  highlightRanges: HighlightRanges,
  escapePiece: (piece: string) => string,
  wrap: (html: string) => string,
): string {
  let out = ''
  let end = 0
  for (const [from, to] of highlightRanges) {
    out += escapePiece(text.slice(end, from)) + wrap(escapePiece(text.slice(from, to)))
    end = to
  }
  return out + escapePiece(text.slice(end))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The text as HTML that is safe to insert into a page: matches in `mark`, the rest escaped. */
export function highlightHtml(text: string, highlightRanges: HighlightRanges): string {
  return markHighlights(text, highlightRanges, escapeHtml, (html) => `<mark>${html}</mark>`)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}
