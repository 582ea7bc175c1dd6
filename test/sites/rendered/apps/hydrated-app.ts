// Rendered on the server and hydrated in the browser. One link appears only there.

import { createElement as h, useEffect, useState } from 'react'

export function HydratedPage({ number, last }: { number: number; last: number }) {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return h(
    'main',
    null,
    h('h1', null, `Part ${number}`),
    number < last ? h('a', { href: `/part/${number + 1}` }, 'Next part') : null,
    isHydrated ? h('a', { href: `/notes/${number}` }, 'Notes') : null,
  )
}
