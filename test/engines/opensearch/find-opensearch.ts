// Gets OpenSearch (Apache 2.0) from Maven: the jars of a node with HTTP, and a class that starts it.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The last release that runs on Java 11 and 17. */
const VERSION = '2.19.1'
const LOG4J = '2.21.0'
const JARS = [
  ['org.opensearch', 'opensearch', VERSION],
  ['org.opensearch.plugin', 'transport-netty4-client', VERSION],
  ['org.apache.logging.log4j', 'log4j-core', LOG4J],
]

/** Returns a folder with `lib` and `classes`. Takes 30 seconds the first time. */
export async function findOpenSearch(cache: string, signal: AbortSignal): Promise<string> {
  const folder = join(cache, `opensearch-${VERSION}`)
  if (existsSync(folder)) return folder
  const build = `${folder}-build`
  rmSync(build, { recursive: true, force: true })
  mkdirSync(build, { recursive: true })
  console.log(`opensearch: getting version ${VERSION}`)
  writeFileSync(join(build, 'pom.xml'), makeProject())
  const run = async (program: string, args: string[]) => {
    try {
      await promisify(execFile)(program, args, { cwd: build, signal, maxBuffer: 1024 ** 2 * 16 })
    } catch (error) {
      throw new Error(`${program} ${args[0]} failed: ${lastLine(error)}`, { cause: error })
    }
  }
  await run('mvn', ['dependency:copy-dependencies', '-q', '-B', '-DoutputDirectory=lib'])
  cpSync(join(import.meta.dirname, 'OpenSearchNode.java'), join(build, 'OpenSearchNode.java'))
  await run('javac', ['-cp', 'lib/*', '-d', 'classes', 'OpenSearchNode.java'])
  // Complete or absent: an interrupted build is not taken for the engine.
  renameSync(build, folder)
  return folder
}

function makeProject(): string {
  const dependencies = JARS.map(
    ([group, name, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  )
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>engine</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>`
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return text.split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
}
