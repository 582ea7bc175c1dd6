// A small site for tests and screenshots of changes: a bakery that edits, moves, adds and removes text.

import { type ChangingPage, ChangingSite } from './changing-site.ts'

interface BakeryPage {
  title: string
  /** A function is called for every response. */
  lines: readonly (string | (() => string))[]
  links?: readonly string[]
}

/** A page with one paragraph per line. */
export function bakeryPage({ title, lines, links = [] }: BakeryPage): ChangingPage {
  const body = () => {
    const paragraphs = lines.map((line) => `<p>${typeof line === 'string' ? line : line()}</p>`).join('\n')
    const anchors = links.map((path) => `<li><a href="${path}">${path.slice(1)}</a></li>`).join('')
    return `<!doctype html><title>${title}</title><main><h1>${title}</h1>${paragraphs}</main><ul>${anchors}</ul>`
  }
  return { body }
}

export const STORY = [
  'We have been baking on the corner of Mill Street since 1962, and we still use the oven of the founder.',
  'The dough rests for eighteen hours before it goes into the oven, which is why the crust cracks.',
  'Flour comes from a mill nine miles up the river, and the miller brings it every other Tuesday morning.',
  'Children get a roll for free when they come before school, and nobody remembers why that began.',
  'On Sundays a queue forms before the door opens, so come early or order the day before.',
  'We close for two weeks in August, when the town is empty and the oven can cool down at last.',
]

/** A line that differs in every response, and is no change. */
const clock = () => `It is ${new Date().toISOString()} in the bakery.`

/** Rye bread costs 3.20 EUR at first. */
export async function serveBakery(): Promise<ChangingSite> {
  const prices = ['Rye bread costs 3.20 EUR a loaf.', 'Rolls cost 0.60 EUR each, and six cost 3 EUR.']
  const paths = ['/prices', '/story', '/cakes', '/jobs', '/summer']
  const site = await ChangingSite.serve({
    '/': bakeryPage({ title: 'Corner Bakery', lines: ['Fresh bread every morning from seven.'], links: paths }),
    '/prices': bakeryPage({ title: 'Prices', lines: [clock, ...prices, ...STORY.slice(0, 3)] }),
    '/story': bakeryPage({ title: 'Our story', lines: STORY }),
    '/cakes': bakeryPage({ title: 'Cakes', lines: ['We bake apple cake and plum cake on Fridays.'] }),
    '/jobs': bakeryPage({ title: 'Jobs', lines: ['We are looking for a baker who likes to get up early.'] }),
    '/summer': bakeryPage({ title: 'Summer hours', lines: ['In summer we open at six.'] }),
  })
  return site
}

/** Changes prices, moves a line of the story, removes the jobs, redirects the summer hours and adds a page. */
export function changeBakery(site: ChangingSite): void {
  const prices = [
    'Rye bread costs 3.60 EUR a loaf, and half a loaf 2 EUR.',
    'Rolls cost 0.60 EUR each, and six cost 3 EUR.',
  ]
  const [first = '', second = '', third = '', ...rest] = STORY
  site.pages.set('/prices', bakeryPage({ title: 'Prices', lines: [clock, ...prices, ...STORY.slice(0, 3)] }))
  site.pages.set('/story', bakeryPage({ title: 'Our story', lines: [second, third, ...rest, first] }))
  site.pages.set(
    '/cakes',
    bakeryPage({ title: 'Cakes and tarts', lines: ['We bake apple cake, plum cake and pear tart on Fridays.'] }),
  )
  site.pages.delete('/jobs')
  site.pages.set('/summer', { body: '', status: 301, headers: { location: '/prices' } })
  site.pages.set(
    '/winter',
    bakeryPage({ title: 'Winter hours', lines: ['In winter we open at seven and close at four.'] }),
  )
  const links = ['/prices', '/story', '/cakes', '/jobs', '/summer', '/winter']
  site.pages.set('/', bakeryPage({ title: 'Corner Bakery', lines: ['Fresh bread every morning from seven.'], links }))
}
