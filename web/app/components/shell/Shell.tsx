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

/** The layout around every scene: navigation, banners, toasts and global dialogs. */
export function Shell({ children }: { children: ReactNode }) {
  const [location, navigate] = useLocation()
  const [dialog, setDialog] = useState<'shortcuts' | 'palette' | null>(null)
  useEffect(listenForShortcuts, [])
  useShortcuts([
    ...NAV_ITEMS.map((item) => ({ keys: item.keys, label: item.label, run: () => navigate(item.href) })),
    { keys: 'n', label: 'New crawl', run: () => navigate('/new') },
    { keys: 't', label: 'Toggle dark theme', run: () => setTheme(isDark() ? 'light' : 'dark') },
    { keys: 'mod+k', label: 'Command palette', run: () => setDialog('palette') },
    { keys: '?', label: 'Keyboard shortcuts', run: () => setDialog('shortcuts') },
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
        {NAV_ITEMS.map((item) => (
          <SidebarLink key={item.href} {...item} isCurrent={isActiveNavItem(location, item.href)} />
        ))}
        <div className="mt-auto flex gap-1">
          <ThemeToggle />
          <IconButton label="Keyboard shortcuts" icon="keyboard" tip="top" onClick={() => setDialog('shortcuts')} />
          <IconButton label="Command palette" icon="compass" tip="top" onClick={() => setDialog('palette')} />
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
        {NAV_ITEMS.map((item) => (
          <BottomBarLink key={item.href} {...item} isCurrent={isActiveNavItem(location, item.href)} />
        ))}
      </nav>
      <Toasts />
      <TokenDialog />
      {dialog === 'shortcuts' ? <ShortcutsDialog onClose={() => setDialog(null)} /> : null}
      {dialog === 'palette' ? <CommandPalette onClose={() => setDialog(null)} /> : null}
    </div>
  )
}

type NavLinkProps = (typeof NAV_ITEMS)[number] & { isCurrent: boolean }

function SidebarLink({ href, label, icon, isCurrent }: NavLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={`flex h-8 items-center gap-2 rounded-md px-2 font-medium ${
        isCurrent ? 'bg-accent-soft text-ink' : 'text-muted hover:bg-hover hover:text-ink'
      }`}
    >
      <Icon name={icon} />
      {label}
    </Link>
  )
}

function BottomBarLink({ href, label, icon, isCurrent }: NavLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={`flex h-12 flex-1 flex-col items-center justify-center gap-0.5 text-2xs focus-visible:-outline-offset-2 ${isCurrent ? 'text-accent' : 'text-muted'}`}
    >
      <Icon name={icon} size={18} />
      {label}
    </Link>
  )
}
