type Places = readonly (readonly [number, number])[]

/** A text with marks at these places; each piece of it is shown apart, so that no two make something together. */
export function marked(
  text: string,
  places: Places,
  show: (piece: string) => string,
  mark: (shown: string) => string,
): string {
  let out = ''
  let end = 0
  for (const [from, to] of places) {
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
export function markedHtml(text: string, places: Places): string {
  return marked(text, places, escaped, (shown) => `<mark>${shown}</mark>`)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}
