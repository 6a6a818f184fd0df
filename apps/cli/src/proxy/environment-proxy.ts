import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'
import type { Env } from '../io.ts'

const direct = 'localhost,127.0.0.1,::1'

/** Has the global `fetch` go through the proxies of the environment, except to this machine itself. */
export function useEnvironmentProxy(env: Env): void {
  const except = env['NO_PROXY'] ?? env['no_proxy']
  setGlobalDispatcher(new EnvHttpProxyAgent({ noProxy: except ? `${except},${direct}` : direct }))
}
