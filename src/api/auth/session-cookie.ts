// The browser session: the token in a cookie that scripts cannot read and other sites cannot send.

const SESSION_COOKIE = 'orbweaver_session'
const MAX_AGE_SECONDS = 30 * 86_400

export function sessionCookie(token: string, isSecure: boolean): string {
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${MAX_AGE_SECONDS}${isSecure ? '; Secure' : ''}`
}

export function expiredSessionCookie(isSecure: boolean): string {
  return `${SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0${isSecure ? '; Secure' : ''}`
}

export function readSessionToken(cookieHeader: string | undefined): string | null {
  for (const pair of (cookieHeader ?? '').split(';')) {
    const [name, value] = pair.split('=', 2)
    if (name?.trim() === SESSION_COOKIE && value) return value.trim()
  }
  return null
}
