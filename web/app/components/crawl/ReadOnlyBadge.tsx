import { Badge } from '../display/Badge.tsx'

/** In the place of what this token may not do. */
export function ReadOnlyBadge() {
  return (
    <span title="Your token has the scope read: it may look, and change nothing. Sign in with another in Settings.">
      <Badge>read only</Badge>
    </span>
  )
}
