import { createElement as h } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedPage } from './hydrated-app.ts'

const root = document.getElementById('root')
if (root !== null) {
  const { number, last } = root.dataset
  hydrateRoot(root, h(HydratedPage, { number: Number(number), last: Number(last) }))
}
