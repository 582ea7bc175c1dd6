import { createInterface } from 'node:readline'

/** Reads the port from the first output line of a server process, which prints `{"port":N}` when it listens. */
export async function readPort(stdout: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stdout })) return (JSON.parse(line) as { port: number }).port
  throw new Error('The server process ended before it printed its port.')
}
