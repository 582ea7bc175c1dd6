/** Placeholder for content that is still loading. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <div aria-hidden="true" data-loading className={`animate-pulse rounded bg-sunken ${className}`} />
}

export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div className="flex flex-col gap-2 p-3" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move
        <Skeleton key={row} className="h-7 w-full" />
      ))}
    </div>
  )
}

export function SceneSkeleton() {
  return (
    <div className="flex flex-col gap-3 p-4 md:p-6">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-24 w-full" />
      <SkeletonRows />
    </div>
  )
}
