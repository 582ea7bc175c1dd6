import { Badge } from '../display/Badge.tsx'

/** Shown in place of actions that the token does not allow. */
export function ReadOnlyBadge() {
  return (
    <span title="Your token has read scope. To make changes, sign in with another token under Settings.">
      <Badge>Read-only</Badge>
    </span>
  )
}
