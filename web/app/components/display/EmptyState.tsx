import type { ReactNode } from 'react'
import { errorMessage } from '../../server/api.ts'
import { Button } from '../controls/Button.tsx'
import { Icon, type IconName } from './Icon.tsx'

export function EmptyState({
  icon = 'info',
  title,
  children,
  action,
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <Icon name={icon} size={28} className="text-muted" />
      <h2 className="text-sm font-semibold">{title}</h2>
      {children === undefined ? null : <div className="max-w-md text-muted">{children}</div>}
      {action === undefined ? null : <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** An error message with a retry button. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <Icon name="warning" size={28} className="text-bad" />
      <p className="max-w-lg break-words">{errorMessage(error)}</p>
      {onRetry === undefined ? null : (
        <Button icon="rerun" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
