import { createHash, randomUUID } from 'node:crypto'
import { access, chmod, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { updateHook } from '../hooks/update-hook.ts'

/**
 * The only configuration git reads. Hooks are off, nothing runs in the background, objects are checked on their way
 * in. Three faults that many old histories carry, and that do no harm, are let through.
 */
const gitConfig = `[safe]
	directory = *
[core]
	hooksPath = /dev/null
	bigFileThreshold = 32m
	quotePath = true
[credential]
	helper =
[init]
	defaultBranch = main
	templateDir =
[gc]
	auto = 0
[maintenance]
	auto = false
[transfer]
	fsckObjects = true
	hideRefs = refs/svc
[fetch "fsck"]
	badTimezone = ignore
	missingSpaceBeforeDate = ignore
	zeroPaddedFilemode = ignore
[receive "fsck"]
	badTimezone = ignore
	missingSpaceBeforeDate = ignore
	zeroPaddedFilemode = ignore
[receive]
	autogc = false
	advertisePushOptions = false
	denyDeleteCurrent = refuse
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	followRedirects = false
	lowSpeedLimit = 1000
	lowSpeedTime = 20
[protocol]
	version = 2
`

export interface GitHome {
  readonly directory: string
  readonly hooks_dir: string
}

/**
 * The private HOME of every git child. Its name carries a digest of its content, so that processes of several
 * versions can share a disk; it appears whole or not at all.
 */
export async function writeGitHome(parent: string): Promise<GitHome> {
  const digest = createHash('sha256').update(gitConfig).update(updateHook).digest('hex').slice(0, 16)
  const directory = join(parent, `home-${digest}`)
  const hooks_dir = join(directory, 'hooks')
  const hook = join(hooks_dir, 'update')
  if (!(await isExecutable(hook))) {
    const draft = join(parent, `home-draft-${randomUUID()}`)
    await mkdir(join(draft, 'hooks'), { recursive: true, mode: 0o700 })
    await writeFile(join(draft, 'gitconfig'), gitConfig)
    await writeFile(join(draft, 'hooks', 'update'), updateHook)
    await chmod(join(draft, 'hooks', 'update'), 0o755)
    await rename(draft, directory).catch(() => rm(draft, { recursive: true, force: true }))
  }
  // git skips a hook it cannot execute, and with it the push policy: better not to start.
  if (!(await isExecutable(hook))) throw new Error(`${hook} cannot be executed; is its disk mounted noexec?`)
  return { directory, hooks_dir }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
