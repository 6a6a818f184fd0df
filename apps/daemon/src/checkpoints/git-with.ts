import { createGit, type GitResult } from '../git/git.ts'

/** Git with something more in its environment, which no process list shows. */
export type GitWith = (env: Readonly<Record<string, string>>, ...args: string[]) => Promise<GitResult>

/** Nothing of the agent's own set-up runs along: no hooks, no helpers, no signatures. */
const plain: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['fetch.recurseSubmodules', 'no'],
  ['gc.auto', '0'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
]

/** Keeps an address as it is: git takes the longest of its rewritings that match, so none of the agent's applies. */
export function asWritten(url: string): readonly (readonly [string, string])[] {
  return [
    [`url.${url}.insteadOf`, url],
    [`url.${url}.pushInsteadOf`, url],
  ]
}

export function createGitWith(parts: {
  readonly workspace: string
  readonly home: string
  readonly timeoutMs: number
  readonly settings?: readonly (readonly [string, string])[]
}): GitWith {
  const { workspace, home, timeoutMs, settings = [] } = parts
  const all = [...plain, ...settings]
  const config: Record<string, string> = { GIT_CONFIG_COUNT: String(all.length) }
  all.forEach(([key, value], at) => {
    config[`GIT_CONFIG_KEY_${at}`] = key
    config[`GIT_CONFIG_VALUE_${at}`] = value
  })
  return (env, ...args) => createGit(workspace, home, { ...config, ...env }, timeoutMs)(...args)
}
