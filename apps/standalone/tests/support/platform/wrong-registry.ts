import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { portOf } from './ports.ts'

const locks = fileURLToPath(new URL('../../../../../packages/harness/locks', import.meta.url))

export interface WrongRegistry {
  /** Settings of npm that lead to it. */
  readonly userconfig: string
  close(): Promise<void>
}

type Packages = Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>

/** The packages of every lock of a harness, by their folders. */
async function packagesOf(harness: string): Promise<[string, Packages[string]][]> {
  const versions = await readdir(join(locks, harness))
  const read = versions.map(async (version) => {
    const lock = await readFile(join(locks, harness, version, 'package-lock.json'), 'utf8')
    return Object.entries((JSON.parse(lock) as { readonly packages: Packages }).packages)
  })
  return (await Promise.all(read)).flat()
}

/** A registry of npm that knows the packages of one harness, and sends other bytes for each than those that are locked. */
export async function startWrongRegistry(harness: string): Promise<WrongRegistry> {
  const packages = await packagesOf(harness)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    if (path.endsWith('.tgz')) return void response.end('other bytes')
    const found = packages.filter(([folder]) => folder.endsWith(`node_modules/${path}`))
    const versions = found.map(([, { version, integrity }]) => {
      const tarball = `${url}${path}/-/${version}.tgz`
      return [version, { name: path, version, dist: { tarball, integrity } }]
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: path, 'dist-tags': {}, versions: Object.fromEntries(versions) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}/`
  const folder = await mkdtemp(join(tmpdir(), 'svc-npmrc-'))
  const userconfig = join(folder, 'npmrc')
  // The same bytes come again: a second try takes npm ten seconds.
  await writeFile(userconfig, `registry=${url}\nfetch-retries=0\n`)
  return {
    userconfig,
    close: async () => {
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
