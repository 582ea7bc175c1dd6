// Names of requests and rows as programs write them: `crawl_ids` is `crawlIds`.

import { type FieldProblem, renameFields, withoutPart } from '../api/requests/request-error.ts'

export function toCamelCase(text: string): string {
  return text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Converts all names in a value. */
export function toSnakeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeNames)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    return [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), toSnakeNames(inner)]
  })
  return Object.fromEntries(entries)
}

/** Problems of requests have the names of programs. */
export async function withFieldNames<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw renameFields(error, toProgramNames)
  }
}

function toProgramNames(problem: FieldProblem): FieldProblem {
  const { field, message } = withoutPart(problem)
  // Other messages may quote what was given.
  return { field: toCamelCase(field), message: message.startsWith('Unknown') ? toCamelCase(message) : message }
}
