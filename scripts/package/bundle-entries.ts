// Bundles the modules as JavaScript: one file per thread, and a few for the commands. A crawl would load 700 modules, and most
// of its start would be spent on finding, reading and linking them.

import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { type Plugin, rolldown } from 'rolldown'

/** Where the program and programs that import it begin. Threads are found by how they are started. */
const ENTRIES = ['main.ts', 'library/index.ts']
const THREAD_FILE = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/**
 * What every command loads, and what a crawl loads besides, are one file each. Otherwise the modules of a crawl would be
 * spread over a hundred files, by the sets of commands that share them. main.ts is in neither, because it waits for the
 * command: no file that the command loads may import it.
 */
const GROUPS = [
  { name: 'cli', priority: 2, test: /\/(cli\/run-cli|worker\/threads\/start-crawl-thread)\.ts$/ },
  {
    name: 'crawl',
    priority: 1,
    test: /\/(cli\/commands\/crawl|setup\/(crawl-runtime|worker-process|start-foreground-crawl)|archive\/open-archive)\.ts$/,
  },
]

/** The bundles, and the files that they read. */
export async function bundleProgram(source: string, dist: string): Promise<void> {
  await bundleEntries(source, dist)
  for (const file of globSync(['**/*.sql', '**/assets/*'], { cwd: source })) {
    mkdirSync(join(dist, dirname(file)), { recursive: true })
    copyFileSync(join(source, file), join(dist, file))
  }
}

/** Entries keep their paths, so that modules find the files they read and the threads they start. */
async function bundleEntries(source: string, dist: string): Promise<void> {
  for (const entry of [...ENTRIES, ...findThreads(source)]) {
    const name = entry.slice(0, -'.ts'.length)
    const bundle = await rolldown({
      input: { [name]: join(source, entry) },
      platform: 'node',
      // Dependencies are installed with the package. The bundler has its own helpers.
      external: /^(?![./\0]|@oxc-project\/runtime\/)/,
      plugins: [keepModuleUrls(source), importBuiltins()],
      checks: { ineffectiveDynamicImport: false },
    })
    await bundle.write({
      dir: dist,
      entryFileNames: '[name].js',
      chunkFileNames: `chunks/${name.replaceAll('/', '-')}/[name]-[hash].js`,
      codeSplitting: { groups: GROUPS },
    })
    await bundle.close()
  }
}

function findThreads(source: string): string[] {
  return globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] }).flatMap((module) => {
    const text = readFileSync(join(source, module), 'utf8')
    return [...text.matchAll(THREAD_FILE)].map(([, name]) => join(module, `../${name}.ts`))
  })
}

/** Modules find files, threads and dependencies from their own URL, which must not become that of the bundle. */
function keepModuleUrls(source: string): Plugin {
  return {
    name: 'keep-module-urls',
    transform: {
      filter: { code: /\bimport\.meta\./ },
      handler(code, id) {
        const module = relative(source, id).replace(/\.ts$/, '.js')
        return code.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, `__module("${module}", "$1")`)
      },
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/__module\("([^"]+)", "(\w+)"\)/g, (_call, module: string, property: string) => {
        const path = relative(join(fileName, '..'), property === 'dirname' ? join(module, '..') : module)
        return property === 'url' ? `new URL("${path}", import.meta.url).href` : `(import.meta.dirname + "/${path}")`
      }),
  }
}

/**
 * An import of a module of Node reads each of its exports, and some of them load more modules: from node:fs alone, streams
 * and promises. A crawl of one page takes a tenth less CPU without such imports (2026-11).
 */
function importBuiltins(): Plugin {
  const IMPORT = /^import (?:\{(.*)\}|(?:\* as )?([\w$]+)) from ("node:[\w/]+");$/gm
  return {
    name: 'import-builtins',
    renderChunk(code, { fileName }) {
      const rendered = code.replaceAll(IMPORT, (_line, names: string | undefined, whole: string, module: string) => {
        const target = names === undefined ? whole : `{${names.replaceAll(' as ', ': ')}}`
        return `const ${target} = process.getBuiltinModule(${module});`
      })
      const left = /^import .*"node:.*$/m.exec(rendered)
      if (left !== null) throw new Error(`${fileName}: cannot rewrite ${left[0]}`)
      return rendered
    },
  }
}
