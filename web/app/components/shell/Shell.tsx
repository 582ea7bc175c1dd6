import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import { isActiveNavItem, NAV_ITEMS } from '../../page/navigation.ts'
import { listenForShortcuts } from '../../page/shortcuts.ts'
import { isDark, setTheme } from '../../page/theme.ts'
import { IconButton } from '../controls/Button.tsx'
import { CommandPalette } from '../dialogs/CommandPalette.tsx'
import { ShortcutsDialog } from '../dialogs/ShortcutsDialog.tsx'
import { TokenDialog } from '../dialogs/TokenDialog.tsx'
import { Icon } from '../display/Icon.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import { Toasts } from './Toasts.tsx'

/** What stands around every scene: the navigation, and whatever concerns the page as a whole. */
export function Shell({ children }: { children: ReactNode }) {
  const [location, navigate] = useLocation()
  const [sheet, setSheet] = useState<'keys' | 'palette' | null>(null)
  useEffect(listenForShortcuts, [])
  useShortcuts([
    ...NAV_ITEMS.map((place) => ({ keys: place.keys, label: place.label, run: () => navigate(place.href) })),
    { keys: 'n', label: 'New crawl', run: () => navigate('/new') },
    { keys: 't', label: 'Light or dark', run: () => setTheme(isDark() ? 'light' : 'dark') },
    { keys: 'mod+k', label: 'Go to anything', run: () => setSheet('palette') },
    { keys: '?', label: 'These keys', run: () => setSheet('keys') },
  ])

  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a
        href="#scene"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <nav aria-label="Main" className="hidden w-48 shrink-0 flex-col border-r border-line bg-surface p-2 md:flex">
        <Link href="/" className="mb-3 flex h-9 items-center gap-2 rounded-md px-2 text-sm font-semibold">
          <img src="/icon.svg" alt="" width="20" height="20" />
          Orbweaver
        </Link>
        {NAV_ITEMS.map((place) => (
          <SidebarLink key={place.href} {...place} isHere={isActiveNavItem(location, place.href)} />
        ))}
        <div className="mt-auto flex gap-1">
          <ThemeToggle />
          <IconButton label="Keys" icon="keyboard" tip="top" onClick={() => setSheet('keys')} />
          <IconButton label="Go to anything" icon="compass" tip="top" onClick={() => setSheet('palette')} />
        </div>
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <main id="scene" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
          {children}
        </main>
      </div>
      <nav
        aria-label="Main"
        className="flex shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {NAV_ITEMS.map((place) => (
          <BottomBarLink key={place.href} {...place} isHere={isActiveNavItem(location, place.href)} />
        ))}
      </nav>
      <Toasts />
      <TokenDialog />
      {sheet === 'keys' ? <ShortcutsDialog onClose={() => setSheet(null)} /> : null}
      {sheet === 'palette' ? <CommandPalette onClose={() => setSheet(null)} /> : null}
    </div>
  )
}

type NavLinkProps = (typeof NAV_ITEMS)[number] & { isHere: boolean }

function SidebarLink({ href, label, icon, isHere }: NavLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className={`flex h-8 items-center gap-2 rounded-md px-2 font-medium ${
        isHere ? 'bg-accent-soft text-ink' : 'text-muted hover:bg-hover hover:text-ink'
      }`}
    >
      <Icon name={icon} />
      {label}
    </Link>
  )
}

function BottomBarLink({ href, label, icon, isHere }: NavLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className={`flex h-12 flex-1 flex-col items-center justify-center gap-0.5 text-2xs focus-visible:-outline-offset-2 ${isHere ? 'text-accent' : 'text-muted'}`}
    >
      <Icon name={icon} size={18} />
      {label}
    </Link>
  )
}
