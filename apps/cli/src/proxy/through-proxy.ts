import { namesProxy } from '@svc/facts'
import type { Env } from '../io.ts'

/** True when the environment names a proxy. */
export function isProxied(env: Env): boolean {
  return namesProxy(env)
}

/** Sends requests through the proxy that the environment names, which Node's own fetch does not look for. */
export async function throughProxy(env: Env): Promise<void> {
  if (!isProxied(env)) return
  const { useEnvironmentProxy } = await import('./environment-proxy.ts')
  useEnvironmentProxy(env)
}
