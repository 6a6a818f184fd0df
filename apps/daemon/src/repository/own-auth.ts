export interface OriginAuth {
  readonly username: string
  readonly token: string
}

/** The session's own token opens the platform's own origin, so that the platform need not be asked for another one. */
export function ownAuth(parts: {
  readonly repo_url: string
  readonly api_url: string
  readonly token: string | undefined
}): OriginAuth | null {
  const { repo_url, api_url, token } = parts
  if (token === undefined || token === '' || !repo_url.startsWith(`${api_url}/git/`)) return null
  return { username: 'x-access-token', token }
}

export const basicOf = ({ username, token }: OriginAuth): string =>
  Buffer.from(`${username}:${token}`).toString('base64')

/** The credential for git's environment, for this repository alone: no other address that git is led to gets it. */
export function withAuth(repo_url: string, auth: OriginAuth): Record<string, string> {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${repo_url}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basicOf(auth)}`,
  }
}
