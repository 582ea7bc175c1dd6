import { Icon } from './Icon.tsx'

/** A link to an Atom feed. */
export function FeedLink({ href, title }: { href: string; title: string }) {
  return (
    <a
      href={href}
      type="application/atom+xml"
      title={`${title} as an Atom feed, for your feed reader`}
      className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 font-medium hover:bg-hover"
    >
      <Icon name="feed" size={15} />
      Feed
    </a>
  )
}
