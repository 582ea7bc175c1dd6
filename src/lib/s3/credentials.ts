// Finds credentials as other S3 tools do: in the environment, by web identity, in the shared files, from the container,
// from the instance. Temporary ones are renewed before they expire.

import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CredentialsError, type Environment, type ExpiringCredentials } from './expiring-credentials.ts'
import { parseProfiles } from './profiles.ts'
import { fromContainer, fromInstance, fromWebIdentity } from './remote-credentials.ts'
import type { Credentials } from './sign-request.ts'

/** Renewed this long before they expire. */
const RENEW_MS = 300_000
/** Minimum interval between renewals, for services whose credentials expire sooner than that. */
const RENEW_INTERVAL_MS = 60_000

export class CredentialChain {
  readonly #env: Environment
  readonly #now: () => number
  #current: Promise<ExpiringCredentials> | null = null
  #requestedAt = Number.NEGATIVE_INFINITY

  constructor(env: Environment, now: () => number) {
    this.#env = env
    this.#now = now
  }

  async get(): Promise<Credentials> {
    const current = this.#current ?? this.#request(null)
    const credentials = await current
    if (!this.#isDue(credentials)) return credentials
    return this.#request(credentials)
  }

  #isDue({ expiresAt }: ExpiringCredentials): boolean {
    const now = this.#now()
    return expiresAt !== null && expiresAt - now <= RENEW_MS && now - this.#requestedAt >= RENEW_INTERVAL_MS
  }

  /** If it fails, `previous` is used until it expires. */
  #request(previous: ExpiringCredentials | null): Promise<ExpiringCredentials> {
    this.#requestedAt = this.#now()
    const request = findCredentials(this.#env).catch((error: unknown) => {
      if (previous?.expiresAt && previous.expiresAt > this.#now()) return previous
      if (this.#current === request) this.#current = null
      throw error
    })
    this.#current = request
    return request
  }

  /** The server says that they have expired. */
  forget(): void {
    this.#current = null
  }
}

async function findCredentials(env: Environment): Promise<ExpiringCredentials> {
  const found =
    fromEnvironment(env) ??
    (await fromWebIdentity(env)) ??
    (await fromProfile(env)) ??
    (await fromContainer(env)) ??
    (await fromInstance(env))
  if (found !== null) return found
  throw new CredentialsError(
    'No S3 credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE.',
  )
}

function fromEnvironment(env: Environment): ExpiringCredentials | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey) return null
  return { accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN'] || null, expiresAt: null }
}

async function fromProfile(env: Environment): Promise<ExpiringCredentials | null> {
  const profile = await readProfile(env)
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = profile
  if (!accessKeyId || !secretAccessKey) return null
  return { accessKeyId, secretAccessKey, sessionToken: profile['aws_session_token'] || null, expiresAt: null }
}

/** A profile of the shared files; the credentials file has priority. Empty if there is none. */
export async function readProfile(env: Environment): Promise<Record<string, string>> {
  const folder = join(env['HOME'] ?? homedir(), '.aws')
  const name = env['AWS_PROFILE'] || 'default'
  const config = parseProfiles(await readIfThere(env['AWS_CONFIG_FILE'] || join(folder, 'config')))
  const secrets = parseProfiles(await readIfThere(env['AWS_SHARED_CREDENTIALS_FILE'] || join(folder, 'credentials')))
  return { ...config.get(name === 'default' ? name : `profile ${name}`), ...secrets.get(name) }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new CredentialsError(`The file ${path} cannot be read.`, { cause: error })
  }
}
