// Runs before the first paint, so that the page never flashes in the wrong theme. Kept out of the page itself because
// the server allows no inline scripts. app/theme.ts writes the same key.
const kept = localStorage.getItem('orbweaver.theme')
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
