// Reads a file with one page per line and writes one result per line, then the CPU time that the results took.

import { readFileSync, writeSync } from 'node:fs'

export async function eachPage(extract) {
  const pages = readFileSync(process.argv[2], 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const before = process.cpuUsage()
  const results = []
  for (const page of pages) results.push(await extract(page))
  const { user, system } = process.cpuUsage(before)
  for (const result of [...results, { cpu_ms: (user + system) / 1000 }]) write(`${JSON.stringify(result)}\n`)
}

/** A pipe takes only a part of a long line at once. */
function write(line) {
  const bytes = Buffer.from(line)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
