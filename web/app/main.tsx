import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { queryClient } from './api.ts'
import { ErrorBoundary } from './components/ErrorBoundary.tsx'
import { ensureValidLocale } from './locale.ts'
import { followReturning } from './returning.ts'
import { followSystemTheme } from './theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

ensureValidLocale(navigator)
followSystemTheme()
followReturning()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
)
