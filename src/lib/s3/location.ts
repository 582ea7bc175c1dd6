// A place in an S3-compatible object storage, written as a URL:
//   s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1&style=path&mode=read
// Parameters that are absent come from the environment and the shared files, as in other S3 tools. Credentials are never
// part of it, so it may appear in logs.

export interface S3Location {
  bucket: string
  /** Ends with a slash, unless it is empty. */
  prefix: string
  /** Null for the endpoint of the environment, or Amazon's. */
  endpoint: string | null
  region: string | null
  /** Whether the path or the host name contains the bucket. Null means the path if there is an endpoint. */
  style: 'path' | 'host' | null
  /** Nothing new is written to this bucket. */
  isReadOnly: boolean
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[\w!.*'()/-]*$/
const REGION = /^[a-z0-9-]+$/
const PARAMETERS = ['endpoint', 'region', 'style', 'mode']
const CHOICES: Readonly<Record<string, readonly string[]>> = { style: ['path', 'host'], mode: ['read'] }

/** Null if the text is not such a URL. */
export function parseS3Url(text: string): S3Location | null {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    return null
  const { host: bucket, searchParams } = url
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  const endpoint = searchParams.get('endpoint')
  const region = searchParams.get('region')
  const style = searchParams.get('style')
  const mode = searchParams.get('mode')
  const isKnown = [...searchParams.keys()].every((name) => PARAMETERS.includes(name))
  if (!isKnown || !BUCKET.test(bucket) || !PREFIX.test(path)) return null
  if (endpoint !== null && !isEndpoint(endpoint)) return null
  if (region !== null && !REGION.test(region)) return null
  if (mode !== null && mode !== 'read') return null
  if (style !== null && style !== 'path' && style !== 'host') return null
  return { bucket, prefix: path === '' ? '' : `${path}/`, endpoint, region, style, isReadOnly: mode === 'read' }
}

/**
 * The problem of the parameters of such a URL; null if the problem is elsewhere. Never contains a value that may be a
 * secret.
 */
export function findParameterProblem(text: string): { expected: string; given: string } | null {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:') return null
  for (const [name, value] of url.searchParams) {
    if (!PARAMETERS.includes(name))
      return { expected: `a URL with no other parameters than ${PARAMETERS.join(', ')}`, given: name }
    const choices = CHOICES[name]
    if (choices !== undefined && !choices.includes(value)) {
      const allowed = choices.map((choice) => `${name}=${choice}`).join(' or ')
      return { expected: `a URL with ${allowed}, or without ${name}`, given: `${name}=${value}` }
    }
  }
  return null
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isHttp && url.username === '' && url.password === '' && url.search === '' && url.pathname === '/'
}

/** The location for messages. */
export function showLocation({ bucket, prefix }: Pick<S3Location, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}/${prefix}`
}
