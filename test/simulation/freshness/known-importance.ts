// A store knows the importance of a page from its depth and from the priority in its sitemap. For runs on a store, pages get
// the importance that it can know, as near as possible to their own.

import { importanceOf } from '../../../src/frontier/recrawl/importance.ts'
import type { ChangingPage } from './changing-web.ts'

/** A page as a store sees it. */
export interface PlacedPage extends ChangingPage {
  depth: number
  priority: number
}

export const DEEPEST = 6
const PRIORITIES = [0, 0.25, 0.5, 0.75, 1]

const PLACES = Array.from({ length: DEEPEST }, (_, level) =>
  PRIORITIES.map((priority) => ({
    depth: level + 1,
    priority,
    importance: importanceOf({ depth: level + 1, priority }),
  })),
).flat()

export function placePages(pages: ChangingPage[]): PlacedPage[] {
  const placed = pages.map((page) => ({ ...page, ...nearestPlace(page.importance) }))
  const mean = placed.reduce((sum, { importance }) => sum + importance, 0) / placed.length
  return placed.map((page) => ({ ...page, importance: page.importance / mean }))
}

function nearestPlace(importance: number) {
  const distance = (place: { importance: number }) => Math.abs(Math.log(place.importance / importance))
  return PLACES.reduce((best, place) => (distance(place) < distance(best) ? place : best))
}
