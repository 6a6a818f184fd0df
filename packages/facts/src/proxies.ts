/** Variables that name a proxy to the outside, in each spelling that a program reads. */
export const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'] as const

/** True where an environment names such a proxy. */
export function namesProxy(env: Readonly<Record<string, string | undefined>>): boolean {
  return proxyVariables.some((name) => Boolean(env[name]))
}
