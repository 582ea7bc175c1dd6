// React with a router: pages come from the server as data, one route is a separate chunk, one page changes its URL.

import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Link, Route, Switch, useLocation } from 'wouter'

interface Item {
  title: string
  related: string[]
}

const About = lazy(() => import('./about-page.tsx'))

function useJson<T>(path: string): T | null {
  const [data, setData] = useState<T | null>(null)
  useEffect(() => {
    fetch(path)
      .then((response) => response.json() as Promise<T>)
      .then((json) => setData(json))
  }, [path])
  return data
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main>
      <h1>{title}</h1>
      {children}
    </main>
  )
}

function Links({ paths }: { paths: string[] }) {
  return paths.map((path) => (
    <Link key={path} href={path}>
      {path}
    </Link>
  ))
}

function Home() {
  const paths = useJson<string[]>('/api/items')
  if (paths === null) return 'Loading'
  return (
    <Page title="Home">
      <Links paths={[...paths, '/about', '/moved']} />
    </Page>
  )
}

function ItemPage({ id }: { id: string }) {
  const item = useJson<Item>(`/api/items/${id}`)
  if (item === null) return 'Loading'
  return (
    <Page title={item.title}>
      <Links paths={item.related} />
    </Page>
  )
}

function Moved() {
  const [, navigate] = useLocation()
  useEffect(() => navigate('/hidden/1'), [navigate])
  return null
}

function App() {
  return (
    <Suspense fallback="Loading">
      <Switch>
        <Route path="/">
          <Home />
        </Route>
        <Route path="/about">
          <Page title="About">
            <About />
          </Page>
        </Route>
        <Route path="/moved">
          <Moved />
        </Route>
        <Route path="/hidden/:id">
          <Page title="Hidden">
            <Links paths={['/items/1']} />
          </Page>
        </Route>
        <Route path="/items/:id">{({ id }) => <ItemPage id={id} />}</Route>
      </Switch>
    </Suspense>
  )
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
