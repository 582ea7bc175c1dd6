// Shared by the operator scripts: the address of the API, and requests to it.

const BASE = process.env['CRAWLER_API'] ?? 'http://localhost:8080'

export async function requestApi(path: string, body?: unknown): Promise<unknown> {
  const token = process.env['CRAWLER_TOKEN']
  const response = await fetch(new URL(path, BASE), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const result = (await response.json()) as { error?: string; detail?: string }
  if (!response.ok) throw new Error(result.error ?? result.detail ?? `The API returned status ${response.status}.`)
  return result
}

/** Prints the result of the call; sets exit code 1 if it fails. */
export async function printResult(call: Promise<unknown>): Promise<void> {
  try {
    console.log(JSON.stringify(await call, null, 2))
  } catch (error) {
    console.error(errorMessage(error))
    process.exitCode = 1
  }
}

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${BASE} cannot be reached: ${error.cause.message}` : error.message
}

/** Returns the arguments, or prints the usage and exits with code 2. */
export function readArguments(count: number, usage: string): string[] {
  const args = process.argv.slice(2)
  if (args.length >= count) return args
  console.error(`Usage: ${usage}`)
  process.exit(2)
}
