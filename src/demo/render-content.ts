// Renders a page as HTML with the irregular markup of the real web: mixed quotes and case, text that looks like links.

import { escapeHtml } from '../lib/escape-html.ts'
import { writeReference } from './link-spelling.ts'
import type { Content, Link } from './site-model.ts'

/** Deliberately unescaped. */
const ODD_TEXT = '1 < 2 && 3 > 2, said the page.'

export function renderContent(content: Content, origin: string): string {
  const inHead = content.links.filter((link) => ['canonical', 'next', 'refresh'].includes(link.via))
  const inBody = content.links.filter((link) => !inHead.includes(link))
  const base = content.base === null ? '' : `<base href="${escapeHtml(content.base)}">\n<base href="/never/base/">\n`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${base}<title>${escapeHtml(content.title)}</title>
${inHead.map((link) => renderHeadLink(link, origin)).join('\n')}
</head>
<body>
<h1>${escapeHtml(content.title)}</h1>
${(content.paragraphs ?? [ODD_TEXT]).map((text) => `<p>${text}</p>`).join('\n')}
${inBody.map((link, i) => renderBodyLink(link, origin, i)).join('\n')}
</body>
</html>
`
}

function renderHeadLink(link: Link, origin: string): string {
  const href = escapeHtml(writeReference(link, origin))
  if (link.via === 'refresh') return `<meta http-equiv="Refresh" content="30; url=${href}">`
  return `<link rel="${link.via}" href="${href}">`
}

function renderBodyLink(link: Link, origin: string, index: number): string {
  const href = writeReference(link, origin)
  const anchor = `<a href="${escapeHtml(href)}">hidden</a>`
  switch (link.via) {
    case 'area':
      return `<map name="m${index}"><area shape="default" alt="" href="${escapeHtml(href)}"></map>`
    case 'iframe':
      return `<iframe src="${escapeHtml(href)}"><a href="/never/inside-a-frame">no frames</a></iframe>`
    case 'comment':
      return `<!-- ${anchor} -->`
    case 'script':
      return `<script>const s = '${anchor}'</script>`
    case 'style':
      return `<style>/* ${anchor} */</style>`
    case 'template':
      return `<template><p>${anchor}</p></template>`
    case 'textarea':
      return `<textarea>${anchor}</textarea>`
    default:
      return renderAnchor(href, index, link.label)
  }
}

function renderAnchor(href: string, index: number, label: string | undefined): string {
  if (label !== undefined) return `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`
  switch (index % 5) {
    case 0:
      return `<A HREF='${escapeHtml(href)}' class="x">Link ${index}</A>`
    case 1:
      return /^[\w./?=&%#:;~+-]+$/.test(href)
        ? `<p>See <a class=plain href=${escapeHtml(href)}>link ${index}</a>.</p>`
        : `<p>See <a class=plain href="${escapeHtml(href)}">link ${index}</a>.</p>`
    case 2:
      return `<a title="a > b" data-href="/never/data" href = "${escapeHtml(href)}"><b>Link</b> ${index}</a>`
    default:
      return `<p>Read <a href="${escapeHtml(href)}">link ${index}</a> too.</p>`
  }
}
