// The message that is shown in place of an archived page.

import { escapeHtml } from '../../lib/escape-html.ts'

export interface ReplayMessage {
  title: string
  text: string
  /** Offered as a link; null: none. */
  liveUrl: string | null
}

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1rem}
h1{font-size:1.2rem}p{overflow-wrap:anywhere}`

export function messagePage({ title, text, liveUrl }: ReplayMessage): string {
  const href = liveUrl === null ? '' : escapeHtml(liveUrl)
  const link = `<p><a href="${href}" target="_blank" rel="noopener noreferrer">Open the live page</a></p>\n<p>${href}</p>`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${liveUrl === null ? '' : link}
</html>
`
}

/** A page that shows an image of the archive. */
export function imagePage(src: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Image</title><img src="${escapeHtml(src)}" alt="Archived image">
</html>
`
}
