// Renders the part of Go templates that the chart uses. Stricter than Helm: a value that values.yaml does not have, or
// a function that is not known, is an error and not a blank.

import type { Expression } from './expression.ts'
import { FUNCTIONS, isTrue, textOf } from './functions.ts'
import { type Node, parseTemplate } from './tree.ts'

interface Scope {
  dot: unknown
  variables: Map<string, unknown>
  defined: Map<string, Node[]>
  lookUp: LookUp
}

/** What the cluster has of this kind and name; an empty map when it has none, or when there is no cluster. */
export type LookUp = (kind: string, name: string) => object

/** The files of a chart by name, rendered; those that begin with _ only define. */
export function renderTemplates(
  files: Map<string, string>,
  data: object,
  lookUp: LookUp = () => ({}),
): Map<string, string> {
  const parsed = [...files].map(([name, text]) => ({ name, ...inFile(name, () => parseTemplate(text)) }))
  const defined = new Map(parsed.flatMap((template) => [...template.defined]))
  const scope = { dot: data, variables: new Map<string, unknown>([['$', data]]), defined, lookUp }
  const shown = parsed.filter(({ name }) => !name.startsWith('_'))
  return new Map(shown.map(({ name, nodes }) => [name, inFile(name, () => render(nodes, scope))]))
}

function inFile<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function render(nodes: Node[], scope: Scope): string {
  return nodes.map((node) => renderNode(node, scope)).join('')
}

function renderNode(node: Node, scope: Scope): string {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'print':
      return textOf(evaluate(node.value, scope))
    case 'if': {
      const taken = node.branches.find(({ test }) => test === null || isTrue(evaluate(test, scope)))
      return taken === undefined ? '' : render(taken.body, scope)
    }
    case 'range':
      return entriesOf(evaluate(node.over, scope))
        .map(([key, value]) => {
          const bound = node.names.length === 1 ? [value] : [key, value]
          const variables = new Map([...scope.variables, ...node.names.map((name, i) => [name, bound[i]] as const)])
          return render(node.body, { ...scope, dot: value, variables })
        })
        .join('')
  }
}

/** Maps by the order of their keys, as in Go. */
function entriesOf(value: unknown): [key: string | number, value: unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) throw new Error(`not a list or a map: ${JSON.stringify(value)}`)
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}

function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'field':
      return fieldOf(expression, scope)
    case 'call': {
      const args = expression.args.map((arg) => evaluate(arg, scope))
      if (expression.name === 'include') return include(textOf(args[0]), args[1], scope)
      if (expression.name === 'lookup') return scope.lookUp(textOf(args[1]), textOf(args[3]))
      const call = FUNCTIONS[expression.name]
      if (call === undefined) throw new Error(`there is no function ${expression.name}`)
      return call(...args)
    }
  }
}

function include(name: string, dot: unknown, scope: Scope): string {
  const nodes = scope.defined.get(name)
  if (nodes === undefined) throw new Error(`nothing defines "${name}"`)
  return render(nodes, { ...scope, dot, variables: new Map([['$', dot]]) })
}

function fieldOf({ root, path }: { root: string; path: string[] }, scope: Scope): unknown {
  if (root !== '' && !scope.variables.has(root)) throw new Error(`there is no variable ${root}`)
  let value = root === '' ? scope.dot : scope.variables.get(root)
  for (const [i, step] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      throw new Error(`there is no ${root}.${path.slice(0, i + 1).join('.')}`)
    }
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
