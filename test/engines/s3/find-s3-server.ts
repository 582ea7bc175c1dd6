// Builds the Versity S3 gateway (Apache 2.0) from the Go module proxy.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const VERSION = 'v1.8.0'
const PACKAGE = 'github.com/versity/versitygw/cmd/versitygw'

/** Takes two minutes of CPU the first time. */
export async function findS3Server(cache: string, signal: AbortSignal): Promise<string> {
  const folder = join(cache, `versitygw-${VERSION}`)
  const file = join(folder, 'versitygw')
  if (existsSync(file)) return file
  const build = `${folder}-build`
  mkdirSync(build, { recursive: true })
  console.log(`s3: building ${PACKAGE}@${VERSION}`)
  try {
    const env = { ...process.env, GOBIN: build }
    await promisify(execFile)('go', ['install', `${PACKAGE}@${VERSION}`], { env, signal, maxBuffer: 1024 ** 2 * 16 })
  } catch (error) {
    throw new Error(`go install ${PACKAGE}@${VERSION} failed: ${lastLine(error)}`, { cause: error })
  }
  mkdirSync(folder, { recursive: true })
  // Complete or absent: an interrupted build is not taken for the program.
  renameSync(join(build, 'versitygw'), file)
  return file
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return text.split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
}
