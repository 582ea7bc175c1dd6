// Runs before the first paint, so the page never flashes in the wrong theme. It is a separate file because the content
// security policy forbids inline scripts. app/page/theme.ts writes the same key.
const stored = localStorage.getItem('orbweaver.theme')
const isDark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
