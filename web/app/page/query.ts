/** A copy of the query with some values replaced; an empty value removes the parameter. */
export function withValues(
  query: URLSearchParams,
  values: Record<string, string | readonly string[]>,
): URLSearchParams {
  const after = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) {
    after.delete(name)
    for (const item of typeof value === 'string' ? [value] : value) if (item !== '') after.append(name, item)
  }
  return after
}
