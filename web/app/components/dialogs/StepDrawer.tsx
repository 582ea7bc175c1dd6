import type { ReactNode } from 'react'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import { IconButton } from '../controls/Button.tsx'
import { ErrorState } from '../display/EmptyState.tsx'
import { SkeletonRows } from '../display/Skeleton.tsx'
import { Drawer } from './Dialog.tsx'

/** One item of a list, loaded by a query. j and k step through the list behind it. */
export function StepDrawer<T>({
  noun,
  title,
  query: { data, error, refetch },
  onPrevious,
  onNext,
  onClose,
  children,
}: {
  /** What the drawer shows, such as change. */
  noun: string
  title: string
  query: { data: T | undefined; error: Error | null; refetch: () => unknown }
  /** Undefined at the ends of the list. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
  children: (data: T) => ReactNode
}) {
  const [previousLabel, nextLabel] = [`Previous ${noun}`, `Next ${noun}`]
  useShortcuts([
    { keys: 'j', label: nextLabel, isInDialog: true, run: () => onNext?.() },
    { keys: 'k', label: previousLabel, isInDialog: true, run: () => onPrevious?.() },
  ])
  return (
    <Drawer
      title={title}
      onClose={onClose}
      actions={
        <>
          <IconButton
            label={`${previousLabel} (k)`}
            icon="up"
            tip="left"
            disabled={onPrevious === undefined}
            onClick={() => onPrevious?.()}
          />
          <IconButton
            label={`${nextLabel} (j)`}
            icon="down"
            tip="left"
            disabled={onNext === undefined}
            onClick={() => onNext?.()}
          />
        </>
      }
    >
      {data === undefined && error === null ? <SkeletonRows rows={8} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : children(data)}
    </Drawer>
  )
}
