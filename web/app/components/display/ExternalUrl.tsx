import { CopyButton } from '../controls/CopyButton.tsx'
import { Icon } from './Icon.tsx'

/** A URL of a crawl in full, to copy or to open. */
export function ExternalUrl({ url }: { url: string }) {
  return (
    <div className="flex items-start gap-1">
      <p className="min-w-0 flex-1 font-mono text-xs leading-6 break-all">{url}</p>
      <CopyButton text={url} label="Copy URL" />
      {/^https?:/.test(url) ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          aria-label="Open in new tab"
          title="Open in new tab"
          className="grid h-6 w-6 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
        >
          <Icon name="open" />
        </a>
      ) : null}
    </div>
  )
}
