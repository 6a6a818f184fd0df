import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PushRules, type Repositories, serveGit } from '../../src/index.ts'

export interface ManagedServer {
  readonly url: string
  /** The rules of the next pushes. */
  rules: PushRules | null
  readonly failures: unknown[]
  max_push_bytes: number
  close(): Promise<void>
}

const services = { 'git-upload-pack': 'git-upload-pack', 'git-receive-pack': 'git-receive-pack' } as const
const isService = (name: string): name is keyof typeof services => name in services

/** The managed origin without its access rules: the three smart HTTP routes of one repository. */
export async function startManagedServer(
  repositories: Repositories,
  project_id: string,
): Promise<ManagedServer> {
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host')
    const last = url.pathname.split('/').at(-1) ?? ''
    const advertise = last === 'refs'
    const service = advertise ? (url.searchParams.get('service') ?? '') : last
    const answer = async () => {
      if (!isService(service)) {
        response.writeHead(404).end()
        return
      }
      const kind = advertise ? 'advertisement' : 'result'
      response.writeHead(200, {
        'content-type': `application/x-${service}-${kind}`,
        'cache-control': 'no-cache',
      })
      const repository = await repositories.open({ kind: 'managed', project_id })
      await serveGit(repository, {
        service,
        advertise,
        git_protocol: request.headers['git-protocol']?.toString(),
        gzip: request.headers['content-encoding'] === 'gzip',
        input: request,
        output: response,
        max_push_bytes: host.max_push_bytes,
        ...(host.rules === null ? {} : { rules: host.rules }),
      })
      response.end()
    }
    answer().catch((error: unknown) => {
      failures.push(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host: ManagedServer = {
    url: `http://127.0.0.1:${port(server.address())}/${project_id}.git`,
    rules: null,
    failures,
    max_push_bytes: 10_000_000,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return host
}

const port = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0
