// The only script that an archived page may have: it reports to the web app, whose frame shows the page, which element
// was clicked. It runs before anything of the page is read, and no script of the page can interfere. Elements of a
// page can still hide properties of `document` and of forms behind their names, so it reads all properties from
// prototypes.

import { hash } from 'node:crypto'

const SCRIPT = `(() => {
'use strict'
const app = window.parent, appOrigin = window.location.origin
const getter = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name)
  return (node) => get.call(node)
}
const parentOf = getter(Node, 'parentElement'), textOf = getter(Node, 'textContent')
const nameOf = getter(Element, 'localName'), beforeOf = getter(Element, 'previousElementSibling')
const { getAttribute, setAttribute, removeAttribute } = Element.prototype
const PICKED = 'data-orbweaver-picked'
let marked = null
const positionOf = (element) => {
  let position = 1
  for (let other = beforeOf(element); other !== null; other = beforeOf(other))
    if (nameOf(other) === nameOf(element)) position += 1
  return position
}
const describe = (element) => ({
  tag: nameOf(element),
  id: getAttribute.call(element, 'id') || '',
  classes: (getAttribute.call(element, 'class') || '').split(/\\s+/).filter(Boolean).slice(0, 20),
  position: positionOf(element),
})
const mark = (element) => {
  if (marked !== null) removeAttribute.call(marked, PICKED)
  marked = element
  setAttribute.call(element, PICKED, '')
}
window.addEventListener('mouseover', ({ target }) => { if (target instanceof Element) mark(target) }, true)
window.addEventListener('click', (event) => {
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!(event.target instanceof Element)) return
  mark(event.target)
  const path = []
  for (let element = event.target; element !== null && path.length < 64; element = parentOf(element))
    path.push(describe(element))
  app.postMessage({ kind: 'orbweaver-pick', path, text: textOf(event.target).slice(0, 20000) }, appOrigin)
}, true)
})()`

const STYLE =
  '[data-orbweaver-picked]{outline:3px solid #d9480f!important;outline-offset:-1px!important;cursor:crosshair!important}'

/**
 * Hash for the content security policy. If a page contains a script with the same text, it runs this script again and
 * nothing else.
 */
export const PICK_SCRIPT_HASH = `'sha256-${hash('sha256', SCRIPT, 'base64')}'`

/** The script goes in front of everything but the doctype: whatever the page leaves open comes after it. */
export function withPickScript(html: string): string {
  const [doctype = ''] = /^<!DOCTYPE [^>]*>/.exec(html) ?? []
  return `${doctype}<style>${STYLE}</style><script>${SCRIPT}</script>${html.slice(doctype.length)}`
}
