import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sdk from '../../../node_modules/@opencode-ai/sdk/package.json' with { type: 'json' }
import { hideFromGit } from '../../git/hide-from-git.ts'

/**
 * A lock file that already names the plugin package: without it the runtime would fetch that from the registry. Runtime,
 * client and plugin have one version.
 */
const lockFile = `${JSON.stringify({
  lockfileVersion: 3,
  packages: { '': { dependencies: { '@opencode-ai/plugin': sdk.version } } },
})}\n`

/** A folder that brings its own packages is left to the runtime. */
export async function preseedConfigDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  const own = ['package.json', 'package-lock.json'].some((name) => existsSync(join(dir, name)))
  if (own) return
  await mkdir(join(dir, 'node_modules'), { recursive: true })
  await writeFile(join(dir, 'package-lock.json'), lockFile)
}

const leftBehind = ['node_modules/', 'package-lock.json', '.gitignore']

/** Keeps what the preseed leaves in the clone out of the agent's commits. */
export const hidePreseed = (workspace: string, configDir: string): Promise<void> =>
  hideFromGit(
    workspace,
    leftBehind.map((name) => `/${configDir}/${name}`),
  )
