type HighlightRanges = readonly (readonly [number, number])[]

/** A text with marks at these places; each piece of it is shown apart, so that no two make something together. */
export function markHighlights(
  text: string,
  highlightRanges: HighlightRanges,
  show: (piece: string) => string,
  mark: (shown: string) => string,
): string {
  let out = ''
  let end = 0
  for (const [from, to] of highlightRanges) {
    out += show(text.slice(end, from)) + mark(show(text.slice(from, to)))
    end = to
  }
  return out + show(text.slice(end))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text of a page as HTML that may be put into another page as it is: what was looked for in `mark`, all else escaped. */
export function highlightHtml(text: string, highlightRanges: HighlightRanges): string {
  return markHighlights(text, highlightRanges, escaped, (shown) => `<mark>${shown}</mark>`)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}
