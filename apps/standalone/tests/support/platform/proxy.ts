import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../wait-for.ts'
import { Child } from './child.ts'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { output } from './run.ts'

const examples = fileURLToPath(new URL('../../../../../infra/proxy', import.meta.url))

export interface Upstreams {
  readonly api: number
  readonly gateway: number
}

export interface Proxy {
  readonly port: number
  /** The file of the certificate that its clients trust. */
  readonly authority: string
  close(): Promise<void>
}

type Ports = Upstreams & { readonly https: number; readonly http: number }

interface ProxyKind {
  readonly name: string
  readonly here: boolean
  /** The example with the ports and files of a test, and how it is run. */
  prepare(folder: string, ports: Ports): Promise<readonly string[]>
  authority(folder: string): string
}

const nginx: ProxyKind = {
  name: 'nginx',
  here: spawnSync('nginx', ['-v']).status === 0,
  async prepare(folder, ports) {
    const example = await exampleOf('nginx.conf', folder, ports)
    await writeFile(
      join(folder, 'svc.conf'),
      example
        .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
        .replace('listen 443 ', `listen 127.0.0.1:${ports.https} `),
    )
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    await writeFile(
      join(folder, 'nginx.conf'),
      `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
      http { access_log off; ${temporary.join(' ')} include ${folder}/svc.conf; }`,
    )
    return ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
  authority: (folder) => join(folder, 'fullchain.pem'),
}

const caddy: ProxyKind = {
  name: 'caddy',
  here: spawnSync('caddy', ['version']).status === 0,
  async prepare(folder, ports) {
    const example = await exampleOf('Caddyfile', folder, ports)
    // The certificate that a public authority gives comes from the file as well.
    const named = example.replace(
      'svc.example.com {',
      `svc.example.com {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
    )
    const options = `admin off\nhttp_port ${ports.http}\nhttps_port ${ports.https}\ndefault_bind 127.0.0.1\n`
    await writeFile(join(folder, 'Caddyfile'), `{\n${options}}\n${named}`)
    return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  },
  authority: (folder) => join(folder, 'fullchain.pem'),
}

export const proxyKinds: readonly ProxyKind[] = [nginx, caddy]

async function exampleOf(name: string, folder: string, { api, gateway }: Upstreams): Promise<string> {
  const example = await readFile(join(examples, name), 'utf8')
  return example
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${api}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${gateway}`)
    .replaceAll('/etc/ssl/svc', folder)
}

/** The example of `infra/proxy` in front of these ports, on a free one. */
export async function startProxy(kind: ProxyKind, upstreams: Upstreams): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-proxy-'))
  const [https = 0, http = 0] = await freePorts(2)
  await makeCertificate(folder)
  const [program = '', ...args] = await kind.prepare(folder, { ...upstreams, https, http })
  const child = new Child(program, args, { HOME: folder })
  const close = async () => {
    await child.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitFor(`${kind.name} listens`, () => child.ended || listens(https))
    if (child.ended) throw new Error(`${kind.name} ended: ${child.stderr}`)
  } catch (error) {
    await close()
    throw error
  }
  return { port: https, authority: kind.authority(folder), close }
}

async function makeCertificate(folder: string): Promise<void> {
  const names = 'subjectAltName=DNS:svc.example.com,DNS:*.preview.example.net'
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await output('openssl', ['req', '-x509', ...key, ...files, '-subj', '/CN=svc', '-addext', names])
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const there = { port, host: '127.0.0.1', servername: 'svc.example.com', rejectUnauthorized: false }
    const socket = connect(there, () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('secureConnect', () => socket.destroy())
  })
}
