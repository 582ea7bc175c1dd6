import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { ErrorBoundary } from './components/shell/ErrorBoundary.tsx'
import { trackNavigation } from './page/restored-navigation.ts'
import { followSystemTheme } from './page/theme.ts'
import { queryClient } from './server/api.ts'
import { ensureValidLocale } from './text/locale.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

ensureValidLocale(navigator)
followSystemTheme()
trackNavigation()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
)
