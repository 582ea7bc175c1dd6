const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text of a page as HTML that may be put into another page as it is: what was looked for in `mark`, all else escaped. */
export function markedHtml(text: string, places: readonly (readonly [number, number])[]): string {
  let html = ''
  let end = 0
  for (const [from, to] of places) {
    html += `${escaped(text.slice(end, from))}<mark>${escaped(text.slice(from, to))}</mark>`
    end = to
  }
  return html + escaped(text.slice(end))
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}
