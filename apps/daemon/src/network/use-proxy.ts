/** Node's own fetch goes through no proxy; for a platform that is reached through one, it is made to. */
export async function useProxy(urls: readonly string[], source: NodeJS.ProcessEnv): Promise<void> {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy']
  if (!names.some((name) => source[name]) || urls.every(isLoopback)) return
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici')
  setGlobalDispatcher(new EnvHttpProxyAgent())
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
