import { Link } from 'wouter'
import { archivedPageHref } from '../../page/navigation.ts'

/** Opens an archived version as it looked. */
export function ArchivedPageLink({ pageId, label = 'View archived page' }: { pageId: number; label?: string }) {
  return (
    <Link href={archivedPageHref(pageId)} className="text-accent hover:underline">
      {label}
    </Link>
  )
}
