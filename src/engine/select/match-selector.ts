// Finds the elements of a page that a selector matches. Each compound is one pass over all elements: it knows for every
// element whether the compounds before it match one of its ancestors or siblings. So the time is the number of elements
// times the size of the selector, whatever the page and the selector look like.

import type { Combinator, Compound, Condition, Positions, Selector } from '../../config/values/parse-selector.ts'
import type { PageTree, TreeElement } from './page-tree.ts'

/** 1 for each element that matches, by element number. */
type Matches = Uint8Array

export function matchSelector(tree: PageTree, selector: Selector): TreeElement[] {
  const matches = new Matcher(tree).match(selector)
  return tree.elements.filter((_, i) => matches[i] === 1)
}

class Matcher {
  readonly #elements: readonly TreeElement[]
  /** Positions of each element among its siblings, by what is counted. */
  readonly #places = new Map<string, Int32Array>()

  constructor({ elements }: PageTree) {
    this.#elements = elements
  }

  match(selector: Selector): Matches {
    const all = this.#none()
    for (const chain of selector) {
      let before = this.#none()
      for (const compound of chain) before = this.#matchCompound(compound, before)
      for (let i = 0; i < all.length; i++) if (before[i] === 1) all[i] = 1
    }
    return all
  }

  #none(): Matches {
    return new Uint8Array(this.#elements.length)
  }

  #matchCompound({ combinator, conditions }: Compound, before: Matches): Matches {
    const matches = combinator === null ? this.#none().fill(1) : this.#related(combinator, before)
    for (const condition of conditions) {
      const test = this.#test(condition)
      for (let i = 0; i < matches.length; i++) {
        if (matches[i] === 1 && !test(this.#elements[i] as TreeElement, i)) matches[i] = 0
      }
    }
    return matches
  }

  /** Elements that are related in this way to one of `these`. */
  #related(combinator: Combinator, these: Matches): Matches {
    const related = this.#none()
    for (const [i, { parent, previous }] of this.#elements.entries()) {
      switch (combinator) {
        case 'child':
          related[i] = these[parent] ?? 0
          break
        case 'adjacent':
          related[i] = these[previous] ?? 0
          break
        // Parents and earlier siblings come first, so what holds for them is known.
        case 'descendant':
          related[i] = (these[parent] ?? 0) | (related[parent] ?? 0)
          break
        case 'sibling':
          related[i] = (these[previous] ?? 0) | (related[previous] ?? 0)
          break
      }
    }
    return related
  }

  #test(condition: Condition): (element: TreeElement, number: number) => boolean {
    switch (condition.kind) {
      case 'name':
        return ({ name }) => name === condition.name
      case 'attribute':
        return ({ attributes }) => matchesAttribute(attributes.get(condition.name), condition)
      case 'empty':
        return ({ isEmpty }) => isEmpty
      case 'root':
        return ({ parent }) => parent === -1
      case 'position': {
        const places = this.#placesOf(condition)
        return (_, i) => isAtPosition(places[i] ?? 0, condition.positions)
      }
      case 'matches': {
        const matches = this.match(condition.selector)
        return (_, i) => (matches[i] === 1) !== condition.isNegated
      }
      case 'has': {
        const around = this.#around(this.match(condition.selector), condition.isChild)
        return (_, i) => around[i] === 1
      }
    }
  }

  /** The parents of `these`, or all their ancestors. */
  #around(these: Matches, isParentOnly: boolean): Matches {
    const around = this.#none()
    for (let i = these.length - 1; i >= 0; i--) {
      const parent = this.#elements[i]?.parent ?? -1
      if (parent !== -1 && (these[i] === 1 || (!isParentOnly && around[i] === 1))) around[parent] = 1
    }
    return around
  }

  #placesOf({ isFromEnd, isOfType }: { isFromEnd: boolean; isOfType: boolean }): Int32Array {
    const key = `${isFromEnd} ${isOfType}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const places = new Int32Array(this.#elements.length)
    const counts = new Map<string, number>()
    const count = ({ parent, name }: TreeElement, i: number) => {
      const siblings = isOfType ? `${parent} ${name}` : String(parent)
      const place = (counts.get(siblings) ?? 0) + 1
      counts.set(siblings, place)
      places[i] = place
    }
    if (isFromEnd) for (let i = places.length - 1; i >= 0; i--) count(this.#elements[i] as TreeElement, i)
    else this.#elements.forEach(count)
    this.#places.set(key, places)
    return places
  }
}

function matchesAttribute(actual: string | undefined, condition: Extract<Condition, { kind: 'attribute' }>): boolean {
  const { test, value, ignoresCase } = condition
  if (actual === undefined) return test === 'not'
  const text = ignoresCase ? actual.toLowerCase() : actual
  switch (test) {
    case 'exists':
      return true
    case 'equals':
      return text === value
    case 'not':
      return text !== value
    case 'any':
      return value !== '' && text.includes(value)
    case 'start':
      return value !== '' && text.startsWith(value)
    case 'end':
      return value !== '' && text.endsWith(value)
    case 'hyphen':
      return text === value || text.startsWith(`${value}-`)
    case 'element':
      return value !== '' && !/\s/.test(value) && text.split(/\s+/).includes(value)
  }
}

function isAtPosition(place: number, { step, offset }: Positions): boolean {
  const beyond = place - offset
  return step === 0 ? beyond === 0 : beyond % step === 0 && beyond / step >= 0
}
