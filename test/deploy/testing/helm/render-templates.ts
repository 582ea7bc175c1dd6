// Renders the subset of Go templates that the chart uses. Stricter than Helm: a value that is not in values.yaml, or an
// unknown function, is an error rather than empty output.

import type { Expression } from './expression.ts'
import { HELM_FUNCTIONS, isTruthy, toText } from './functions.ts'
import { parseTemplate, type TemplateNode } from './parse-template.ts'

interface RenderScope {
  dot: unknown
  variables: Map<string, unknown>
  defined: Map<string, TemplateNode[]>
  lookUp: ResourceLookup
}

/** Looks up a resource in the cluster by kind and name; returns an empty map if there is none, or no cluster. */
export type ResourceLookup = (kind: string, name: string) => object

/** Renders the files of a chart by name; files that begin with _ only contain definitions. */
export function renderTemplates(
  files: Map<string, string>,
  data: object,
  resourceLookup: ResourceLookup = () => ({}),
): Map<string, string> {
  const parsed = [...files].map(([name, text]) => ({ name, ...withFileName(name, () => parseTemplate(text)) }))
  const defined = new Map(parsed.flatMap((template) => [...template.defined]))
  const scope = { dot: data, variables: new Map<string, unknown>([['$', data]]), defined, lookUp: resourceLookup }
  const shown = parsed.filter(({ name }) => !name.startsWith('_'))
  return new Map(shown.map(({ name, nodes }) => [name, withFileName(name, () => render(nodes, scope))]))
}

function withFileName<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function render(nodes: TemplateNode[], renderScope: RenderScope): string {
  return nodes.map((templateNode) => renderNode(templateNode, renderScope)).join('')
}

function renderNode(templateNode: TemplateNode, renderScope: RenderScope): string {
  switch (templateNode.kind) {
    case 'text':
      return templateNode.text
    case 'print':
      return toText(evaluate(templateNode.value, renderScope))
    case 'if': {
      const taken = templateNode.branches.find(({ test }) => test === null || isTruthy(evaluate(test, renderScope)))
      return taken === undefined ? '' : render(taken.body, renderScope)
    }
    case 'range':
      return entriesOf(evaluate(templateNode.over, renderScope))
        .map(([key, value]) => {
          const bound = templateNode.names.length === 1 ? [value] : [key, value]
          const variables = new Map([
            ...renderScope.variables,
            ...templateNode.names.map((name, i) => [name, bound[i]] as const),
          ])
          return render(templateNode.body, { ...renderScope, dot: value, variables })
        })
        .join('')
  }
}

/** Map entries in the order of their keys, as in Go. */
function entriesOf(value: unknown): [key: string | number, value: unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) throw new Error(`not a list or a map: ${JSON.stringify(value)}`)
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}

function evaluate(expression: Expression, renderScope: RenderScope): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'field':
      return fieldOf(expression, renderScope)
    case 'call': {
      const args = expression.args.map((arg) => evaluate(arg, renderScope))
      if (expression.name === 'include') return include(toText(args[0]), args[1], renderScope)
      if (expression.name === 'lookup') return renderScope.lookUp(toText(args[1]), toText(args[3]))
      const call = HELM_FUNCTIONS[expression.name]
      if (call === undefined) throw new Error(`there is no function ${expression.name}`)
      return call(...args)
    }
  }
}

function include(name: string, dot: unknown, renderScope: RenderScope): string {
  const nodes = renderScope.defined.get(name)
  if (nodes === undefined) throw new Error(`nothing defines "${name}"`)
  return render(nodes, { ...renderScope, dot, variables: new Map([['$', dot]]) })
}

function fieldOf({ root, path }: { root: string; path: string[] }, renderScope: RenderScope): unknown {
  if (root !== '' && !renderScope.variables.has(root)) throw new Error(`there is no variable ${root}`)
  let value = root === '' ? renderScope.dot : renderScope.variables.get(root)
  for (const [i, step] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      throw new Error(`there is no ${root}.${path.slice(0, i + 1).join('.')}`)
    }
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
