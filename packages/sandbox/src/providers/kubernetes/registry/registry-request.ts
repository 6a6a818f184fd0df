import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect as connectSecurely } from 'node:tls'
import { dial } from '../../../network/dial.ts'
import { authorityOf, authorityText } from '../../../network/authority.ts'
import type { Egress } from '../../../network/egress.ts'
import { SandboxError } from '../../../sandbox-error.ts'

export interface RegistryAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Asks a registry, which a project named: only at public addresses, and at the operator's own registry. */
export type AskRegistry = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<RegistryAnswer>

const timeoutMs = 30_000
/** Manifests and configurations are some kilobytes. */
const maxBytes = 4 * 1024 * 1024

export function registryRequests(egress: Egress, own: URL | null): AskRegistry {
  const open: Egress = { ...egress, mode: 'open', private_repositories: false }
  const authority = own === null ? null : authorityOf(own.href)
  const reach = {
    platform: new Set(authority === null ? [] : [authorityText(authority)]),
    repository: null,
  }
  return async (url, headers, caller) => {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)])
    try {
      const target = authorityOf(url.href)
      if (target === null) throw new Error('it has no host')
      const socket = await dial(open, reach, target)
      const ask = url.protocol === 'https:' ? requestHttps : requestHttp
      const request = ask(url, {
        ...{ headers, signal, agent: false },
        createConnection: () =>
          url.protocol === 'https:' ? connectSecurely({ socket, servername: target.host }) : socket,
      })
      const answer = await new Promise<IncomingMessage>((resolve, reject) =>
        request.once('response', resolve).once('error', reject).end(),
      )
      return { status: answer.statusCode ?? 500, headers: answer.headers, body: await bodyOf(answer) }
    } catch (error) {
      caller.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      throw new SandboxError('network', `The registry ${url.host} cannot be asked: ${why}.`, {
        ...{ cause: error, retryable: true },
      })
    }
  }
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > maxBytes) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
