import { type Authority, authorityText } from './authority.ts'

export const proxyPort = 3128

/**
 * Variables that name a proxy that is the only way out: in every spelling that a program reads. `direct` are hosts
 * that are reached without it, beside the sandbox's own loopback addresses.
 */
export function proxyEnvironment(
  proxy: Authority,
  direct: readonly string[],
): Readonly<Record<string, string>> {
  const url = `http://${authorityText(proxy)}`
  const no_proxy = [...new Set(['localhost', '127.0.0.1', '::1', ...direct])].join(',')
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: no_proxy,
    http_proxy: url,
    https_proxy: url,
    no_proxy,
    NODE_USE_ENV_PROXY: '1',
  }
}
