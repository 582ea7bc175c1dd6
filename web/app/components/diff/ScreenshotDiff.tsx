import { useEffect, useRef, useState } from 'react'
import { errorMessage, routeUrl } from '../../server/api.ts'
import { Screenshot } from '../display/Screenshot.tsx'
import { comparePixels, type Pixels } from './pixel-difference.ts'

/** The screenshots of two versions and what differs between them. */
export function ScreenshotDiff({ before, after }: { before: number; after: number }) {
  return (
    <section aria-label="Screenshots" className="grid gap-2 sm:grid-cols-3">
      <Figure title="Before">
        <Screenshot pageId={before} alt="Screenshot of the earlier version" />
      </Figure>
      <Figure title="After">
        <Screenshot pageId={after} alt="Screenshot of the later version" />
      </Figure>
      <Difference key={`${before} ${after}`} before={before} after={after} />
    </section>
  )
}

function Figure({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <figure className="min-w-0">
      {children}
      <figcaption className="text-muted">{title}</figcaption>
    </figure>
  )
}

function Difference({ before, after }: { before: number; after: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('Comparing…')
  useEffect(() => {
    let isShown = true
    Promise.all([loadPixels(before), loadPixels(after)]).then(
      (pixels) => {
        if (isShown) setText(draw(canvas.current, ...pixels))
      },
      (error: unknown) => {
        if (isShown) setText(errorMessage(error))
      },
    )
    return () => {
      isShown = false
    }
  }, [before, after])
  return (
    <Figure title={text}>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Differences between the screenshots, in red"
        className="max-h-96 w-full rounded border border-line object-contain object-top"
      />
    </Figure>
  )
}

async function loadPixels(pageId: number): Promise<Pixels> {
  const image = new Image()
  image.src = routeUrl('getPageScreenshot', { params: { page_id: pageId } })
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (context === null) throw new Error('This browser cannot compare images.')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, width, height)
}

/** Returns a sentence about the difference. */
function draw(canvas: HTMLCanvasElement | null, before: Pixels, after: Pixels): string {
  const { width, height, data, share } = comparePixels(before, after)
  if (canvas !== null) {
    canvas.width = width
    canvas.height = height
    canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  }
  if (share === 0) return 'No visible difference'
  return `${share < 0.001 ? 'Less than 0.1' : (share * 100).toFixed(1)}% of the pixels differ`
}
