// Builds the apps with the tool that builds the web app, in memory.

import { fileURLToPath } from 'node:url'
import { build, type Rollup } from 'vite'

const APPS = ['react-app.tsx', 'vue-app.ts', 'hydrate.ts', 'elements.ts', 'scroll.ts']

/** Files by path, such as /assets/react-app.js. */
export async function buildApps(): Promise<Map<string, string>> {
  const input = Object.fromEntries(
    APPS.map((app) => [app.replace(/\.tsx?$/, ''), fileURLToPath(new URL(`./apps/${app}`, import.meta.url))]),
  )
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input,
        output: { entryFileNames: 'assets/[name].js', chunkFileNames: 'assets/[name].js' },
      },
    },
  })) as Rollup.RollupOutput
  return new Map(built.output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : [])))
}

/** The apps are type-checked separately, with the types of a browser. */
export async function loadServerRenderer(): Promise<(number: number, last: number) => string> {
  const { href } = new URL('./apps/render-on-server.ts', import.meta.url)
  const { renderPart } = (await import(href)) as { renderPart: (number: number, last: number) => string }
  return renderPart
}
