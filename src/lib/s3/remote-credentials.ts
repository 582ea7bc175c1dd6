// Temporary credentials from a service: by web identity (Kubernetes), of a container (ECS, EKS) or of an instance (EC2).

import { readFile } from 'node:fs/promises'
import { CredentialsError, type Environment, type ExpiringCredentials } from './expiring-credentials.ts'
import { textOf } from './xml-text.ts'

const TIMEOUT_MS = 5_000
/** Machines that are no instances do not respond at all. */
const INSTANCE_TIMEOUT_MS = 1_000
const TOKEN_SECONDS = '21600'

export async function fromWebIdentity(env: Environment): Promise<ExpiringCredentials | null> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = env
  if (!file || !role) return null
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  const url = new URL(
    env['AWS_ENDPOINT_URL_STS'] || (region ? `https://sts.${region}.amazonaws.com/` : 'https://sts.amazonaws.com/'),
  )
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: env['AWS_ROLE_SESSION_NAME'] || 'orbweaver',
    WebIdentityToken: (await readFile(file, 'utf8')).trim(),
  })
  const xml = await request(url, { method: 'POST', body: form })
  return toCredentials({
    AccessKeyId: textOf(xml, 'AccessKeyId'),
    SecretAccessKey: textOf(xml, 'SecretAccessKey'),
    Token: textOf(xml, 'SessionToken'),
    Expiration: textOf(xml, 'Expiration'),
  })
}

export async function fromContainer(env: Environment): Promise<ExpiringCredentials | null> {
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const address = relative ? `http://169.254.170.2${relative}` : env['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (!address) return null
  const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
  const token = file ? (await readFile(file, 'utf8')).trim() : env['AWS_CONTAINER_AUTHORIZATION_TOKEN']
  const headers: Record<string, string> = token ? { authorization: token } : {}
  return toCredentials(JSON.parse(await request(new URL(address), { headers })) as CredentialDocument)
}

/** Null if this machine is not an instance, or has no role. */
export async function fromInstance(env: Environment): Promise<ExpiringCredentials | null> {
  if (env['AWS_EC2_METADATA_DISABLED'] === 'true') return null
  const base = env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || 'http://169.254.169.254'
  const signal = AbortSignal.timeout(INSTANCE_TIMEOUT_MS)
  try {
    const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS }
    const token = await request(new URL('/latest/api/token', base), { method: 'PUT', headers: ttl, signal })
    const headers = { 'x-aws-ec2-metadata-token': token }
    const path = '/latest/meta-data/iam/security-credentials/'
    const role = (await request(new URL(path, base), { headers, signal })).split('\n')[0]?.trim()
    if (!role) return null
    return toCredentials(
      JSON.parse(await request(new URL(path + role, base), { headers, signal })) as CredentialDocument,
    )
  } catch {
    // The caller says that there are no credentials.
    return null
  }
}

interface CredentialDocument {
  AccessKeyId?: string | null
  SecretAccessKey?: string | null
  Token?: string | null
  Expiration?: string | null
}

function toCredentials({ AccessKeyId, SecretAccessKey, Token, Expiration }: CredentialDocument): ExpiringCredentials {
  if (!AccessKeyId || !SecretAccessKey) throw new CredentialsError('The credentials service returned no credentials.')
  const expiresAt = Expiration ? Date.parse(Expiration) : Number.NaN
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token || null,
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
  }
}

/** Messages name the host alone: responses and tokens are secret. */
async function request(url: URL, options: RequestInit): Promise<string> {
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...options })
  } catch (error) {
    throw new CredentialsError(`The credentials service at ${url.host} cannot be reached.`, { cause: error })
  }
  if (!response.ok) throw new CredentialsError(`The credentials service at ${url.host} responded ${response.status}.`)
  return response.text()
}
