// Serves a folder with a real web server that is installed on the machine. Each server lists directories.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/store/testing/native-postgres.ts'
import { waitUntil } from '../testing/wait-until.ts'

export const SERVERS = ['nginx', 'apache', 'lighttpd', 'python'] as const
export type ServerName = (typeof SERVERS)[number]

export interface ServedFolder {
  origin: string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 10_000

interface Site {
  folder: string
  port: number
  /** Folder for files that the server writes. */
  dir: string
}

const TYPES = 'text/html html htm; text/css css; text/plain txt; application/pdf pdf; image/png png; image/gif gif'

const SERVER_COMMANDS: Record<ServerName, { program: string; configure: (site: Site) => string[] }> = {
  nginx: {
    program: 'nginx',
    configure: ({ folder, port, dir }) => {
      const types = TYPES.replaceAll('; ', ';\n').concat(';')
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/t;`)
      const config = `daemon off; pid ${dir}/pid; error_log ${dir}/error.log; user ${userInfo().username};
events {} http { types { ${types} } default_type application/octet-stream; access_log off; ${paths.join(' ')}
server { listen 127.0.0.1:${port}; root "${folder}"; autoindex on; } }`
      return ['-c', write(dir, 'nginx.conf', config)]
    },
  },
  apache: {
    program: 'apache2',
    configure: ({ folder, port, dir }) => {
      const modules = ['mpm_event', 'authz_core', 'dir', 'autoindex', 'mime'].map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
      )
      const types = TYPES.split('; ').map((type) => `AddType ${type}`)
      const config = [
        ...modules,
        `Listen 127.0.0.1:${port}`,
        `PidFile ${dir}/pid`,
        `ErrorLog ${dir}/error.log`,
        'ServerName localhost',
        'TypesConfig /dev/null',
        `DefaultRuntimeDir ${dir}`,
        ...apacheUser(),
        `DocumentRoot "${folder}"`,
        ...types,
        `<Directory "${folder}">\nOptions Indexes FollowSymLinks\nIndexOptions FancyIndexing\nDirectoryIndex index.html\n</Directory>`,
      ]
      return ['-X', '-f', write(dir, 'apache.conf', config.join('\n'))]
    },
  },
  lighttpd: {
    program: 'lighttpd',
    configure: ({ folder, port, dir }) => {
      const types = TYPES.split('; ').flatMap((line) => {
        const [type, ...endings] = line.split(' ')
        return endings.map((ending) => `".${ending}" => "${type}"`)
      })
      const config = `server.document-root = "${folder}"
server.bind = "127.0.0.1"
server.port = ${port}
dir-listing.activate = "enable"
index-file.names = ("index.html")
mimetype.assign = (${types.join(', ')})`
      return ['-D', '-f', write(dir, 'lighttpd.conf', config)]
    },
  },
  python: {
    program: 'python3',
    configure: ({ folder, port }) => ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', folder, String(port)],
  },
}

/** Apache refuses to serve as root. */
function apacheUser(): string[] {
  return userInfo().uid === 0 ? ['User www-data', 'Group www-data'] : []
}

function write(dir: string, name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

export function isInstalled(server: ServerName): boolean {
  return spawnSync('sh', ['-c', `command -v ${SERVER_COMMANDS[server].program}`]).status === 0
}

export async function serveFolder(folder: string, server: ServerName): Promise<ServedFolder> {
  const { program, configure } = SERVER_COMMANDS[server]
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-field-'))
  const port = await freePort()
  const child = spawn(program, configure({ folder, port, dir }), { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-2000)
  })
  const origin = `http://127.0.0.1:${port}`
  const stop = async () => {
    if (child.exitCode === null) {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await waitUntilUp(origin, child, () => errors)
  } catch (error) {
    await stop()
    throw error
  }
  return { origin, stop }
}

async function waitUntilUp(origin: string, child: ChildProcess, errors: () => string): Promise<void> {
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`The web server exited: ${errors()}`)
    return fetch(`${origin}/`)
      .then((response) => response.arrayBuffer())
      .then(
        () => true,
        () => false,
      )
  }
  await waitUntil(isUp, {
    pollMs: 50,
    timeoutMs: START_TIMEOUT_MS,
    timeoutMessage: () => `The web server does not respond: ${errors()}`,
  })
}
