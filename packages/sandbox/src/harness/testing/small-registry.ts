import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export interface SmallPackage {
  readonly name: string
  readonly version: string
  readonly manifest?: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, string>>
  /** Its tarball is never sent to its end. */
  readonly hangs?: boolean
}

export interface SmallRegistry extends AsyncDisposable {
  readonly url: string
  /** The packages whose tarballs were asked for. */
  readonly fetched: readonly string[]
  integrityOf(name: string): string
}

interface Served extends SmallPackage {
  readonly tarball: Buffer
  readonly integrity: string
}

/** A registry of packages on the loopback address, for npm to install from. */
export async function smallRegistry(packages: readonly SmallPackage[]): Promise<SmallRegistry> {
  const served = new Map<string, Served>()
  for (const one of packages) {
    const tarball = await tarballOf(one)
    served.set(one.name, { ...one, tarball, integrity: integrityOf(tarball) })
  }
  const fetched: string[] = []
  const server = createServer((request, response) => {
    const [, name = '', file] = /^\/([^/]+)(\/.+\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? []
    const found = served.get(name)
    if (found === undefined) response.writeHead(404).end()
    else if (file === undefined) response.end(JSON.stringify(documentOf(found, url)))
    else {
      fetched.push(name)
      send(found, response)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url,
    fetched,
    integrityOf: (name) => served.get(name)?.integrity ?? '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send({ tarball, hangs }: Served, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': tarball.length })
  if (hangs === true) response.write(tarball.subarray(0, 1))
  else response.end(tarball)
}

function documentOf({ name, version, manifest, integrity }: Served, url: string): unknown {
  const dist = { integrity, tarball: `${url}/${name}/-/${name}-${version}.tgz` }
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { name, version, ...manifest, dist } },
  }
}

async function tarballOf({ name, version, manifest, files }: SmallPackage): Promise<Buffer> {
  const archive = pack()
  const written = buffer(archive)
  const all = { 'package.json': JSON.stringify({ name, version, ...manifest }), ...files }
  for (const [path, content] of Object.entries(all))
    archive.entry({ name: `package/${path}`, mode: 0o644 }, content)
  archive.finalize()
  return gzipSync(await written)
}

const integrityOf = (content: Buffer): string =>
  `sha512-${createHash('sha512').update(content).digest('base64')}`
