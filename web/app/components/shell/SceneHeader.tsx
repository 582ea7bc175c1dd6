import { type ReactNode, useEffect } from 'react'

/** The title of a scene, also shown in the browser tab. */
export function SceneHeader({ title, children }: { title: string; children?: ReactNode }) {
  usePageTitle(title)
  return (
    <header className="flex flex-wrap items-center justify-between gap-2 px-4 pt-4 pb-3 md:px-6">
      <h1 className="text-base font-semibold">{title}</h1>
      {children === undefined ? null : <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  )
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Orbweaver`
  }, [title])
}
