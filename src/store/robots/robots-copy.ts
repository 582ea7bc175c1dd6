import type { RobotsCopy } from '../../ports/robots.ts'

export function toRobotsCopy(row: Record<string, unknown>): RobotsCopy {
  return {
    origin: String(row['origin']),
    askedAt: Number(row['asked_at']),
    expiresAt: Number(row['expires_at']),
    status: row['status'] as number | null,
    problem: row['problem'] as string | null,
    body: row['body'] as Uint8Array | null,
    goodAt: row['good_at'] as number | null,
  }
}
