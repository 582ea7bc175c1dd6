// Canonical paths of many shapes, all different: a crawler that folds case, drops a slash or sorts a query merges two
// of them and is detected.

import type { SeededRandom } from '../../../src/lib/seeded-random.ts'

export function makePaths(seededRandom: SeededRandom, count: number): string[] {
  const paths = new Set(['/'])
  for (let i = 1; paths.size < count; i++) {
    for (const path of shape(seededRandom, i)) if (paths.size < count) paths.add(path)
  }
  return [...paths]
}

function shape(seededRandom: SeededRandom, i: number): string[] {
  const area = seededRandom.pick(['news', 'shop', 'help', 'team'])
  switch (seededRandom.below(10)) {
    case 0:
      return [`/${area}/${i}/`, `/${area}/${i}`]
    case 1:
      return [`/list?page=${i}`, `/list?page=${i}&sort=up`, `/list?sort=up&page=${i}`]
    case 2:
      return [`/Case/${i}`, `/case/${i}`]
    case 3:
      return [`/caf%C3%A9/${i}`, `/a%20b/${i}.html`]
    case 4:
      return [`/${area}/${i}/deep/er/still/page.html`]
    case 5:
      return [`/item;v=${i}`, `/wiki/Help:${i}`, `/~user${i}/`]
    case 6:
      return [`/search?q=a+b%26c&n=${i}`]
    default:
      return [`/${area}/${i}.html`]
  }
}
