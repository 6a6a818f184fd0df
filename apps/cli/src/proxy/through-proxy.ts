import type { Env } from '../io.ts'

const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy']

/** True when the environment names a proxy. */
export function isProxied(env: Env): boolean {
  return names.some((name) => env[name])
}

/** Sends requests through the proxy that the environment names, which Node's own fetch does not look for. */
export async function throughProxy(env: Env): Promise<void> {
  if (!isProxied(env)) return
  const { useEnvironmentProxy } = await import('./environment-proxy.ts')
  useEnvironmentProxy(env)
}
