export const gitHosts = ['github', 'gitlab', 'gitea', 'generic'] as const

/** The host of a connected repository; `generic` speaks git and nothing else. */
export type GitHost = (typeof gitHosts)[number]

/** Public hosts by their name, and own installations whose name begins with the product's. */
const names: readonly (readonly [pattern: RegExp, host: GitHost])[] = [
  [/^(github\.com|github\..+|.+\.ghe\.com)$/, 'github'],
  [/^gitlab\..+$/, 'gitlab'],
  [/^(gitea\..+|forgejo\..+|codeberg\.org)$/, 'gitea'],
]

export function detectHost(repo_url: string): GitHost {
  if (!URL.canParse(repo_url)) return 'generic'
  const { protocol, hostname } = new URL(repo_url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'generic'
  return names.find(([pattern]) => pattern.test(hostname.replace(/\.$/, '').toLowerCase()))?.[1] ?? 'generic'
}
