import { isLoopback, namesProxy } from '@svc/facts'

/**
 * Node's own fetch goes through no proxy; for a platform that is reached through one, it is made to. Hosts in
 * the sandbox itself, such as `own_host`, are never looked for outside.
 */
export async function useProxy(
  urls: readonly string[],
  source: NodeJS.ProcessEnv,
  own_host = '127.0.0.1',
): Promise<void> {
  if (!namesProxy(source) || urls.every((url) => isLoopback(new URL(url).hostname))) return
  const { goThroughProxy } = await import('./go-through-proxy.ts')
  const direct = [source['no_proxy'] ?? source['NO_PROXY'] ?? '', 'localhost', '127.0.0.1', own_host]
  goThroughProxy(direct.filter((host) => host !== '').join(','))
}
