import { appdVariables, type ImageProgram } from '@svc/sandbox/guest'
import type { WayOut } from './network/way-out.ts'

export interface AppdEnv {
  readonly key: string
  readonly root: string
  /** Without a host: all addresses of a network that is the sandbox's own. */
  readonly at: { readonly fd: number } | { readonly host?: string; readonly port: number }
  readonly shared: boolean
  readonly way_out: WayOut | null
  readonly image: ImageProgram | null
}

/** Reads the variables that a provider starts `svc-appd` with. */
export function readEnv(source: NodeJS.ProcessEnv): AppdEnv {
  const need = (name: string): string => {
    const value = source[name]
    if (value === undefined || value === '') throw new Error(`The environment has no ${name}.`)
    return value
  }
  const fd = source['SVC_LISTEN_FD'] ?? ''
  const image = source[appdVariables.image] ?? ''
  return {
    key: need(appdVariables.key),
    root: need('SVC_WORKSPACE'),
    at:
      fd === ''
        ? { ...hostOf(source['SVC_SANDBOX_ADDRESS']), port: Number(need('SVC_SERVICE_PORT')) }
        : { fd: Number(fd) },
    shared: source[appdVariables.network] === 'shared',
    way_out: wayOutOf(source),
    image: image === '' ? null : imageOf(image),
  }
}

function hostOf(address: string | undefined): { readonly host?: string } {
  if (address === undefined) throw new Error('The environment has no SVC_SANDBOX_ADDRESS.')
  return address === '' ? {} : { host: address }
}

/** Null in a sandbox that shares the network of something else. */
function wayOutOf(source: NodeJS.ProcessEnv): WayOut | null {
  const { SVC_RELAY_DIR: folder, SVC_RELAY_PROXY: proxy, SVC_SANDBOX_ID: sandbox_id } = source
  const [, host, port] = /^(.*):(\d+)$/.exec(proxy ?? '') ?? []
  if (folder === undefined || sandbox_id === undefined || host === undefined) return null
  return { folder, sandbox_id, host, port: Number(port) }
}

/** Named boundary: the provider wrote it from the same type. */
function imageOf(text: string): ImageProgram {
  return JSON.parse(text) as ImageProgram
}
