import { routeUrl } from '../../server/api.ts'

/** The screenshot of a rendered page. Opens in full in a new tab. */
export function Screenshot({ pageId, alt }: { pageId: number; alt: string }) {
  const src = routeUrl('getPageScreenshot', { params: { page_id: pageId } })
  return (
    <a href={src} target="_blank" rel="noreferrer noopener" className="block">
      <img
        src={src}
        alt={alt}
        loading="lazy"
        className="max-h-96 w-full rounded border border-line object-contain object-top"
      />
    </a>
  )
}
