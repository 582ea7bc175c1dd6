import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { HydratedPage } from './hydrated-app.ts'

export function renderPart(number: number, last: number): string {
  return renderToString(h(HydratedPage, { number, last }))
}
