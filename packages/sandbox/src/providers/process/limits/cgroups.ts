import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxLimits } from '../../../provider.ts'
import { type CgroupName, type CgroupVersion, limitFiles, ownGroup } from './cgroup-files.ts'

/** The controllers that this process may use, each with the folder in which sandboxes get their groups. */
export interface Cgroups {
  readonly version: CgroupVersion
  readonly controllers: ReadonlyMap<CgroupName, string>
}

const mount = '/sys/fs/cgroup'
const names: readonly CgroupName[] = ['memory', 'pids', 'cpu']
const folderName = 'svc-sandboxes'

/** Only root gets groups; which controllers work is found by trying them. */
export async function findCgroups(): Promise<Cgroups> {
  const none: Cgroups = { version: 'v1', controllers: new Map() }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return none
  const membership = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  const v2 = await readFile(join(mount, 'cgroup.controllers'), 'utf8').catch(() => null)
  const version = v2 === null ? 'v1' : 'v2'
  const controllers = new Map<CgroupName, string>()
  for (const name of names) {
    const above = version === 'v2' ? mount : ownFolder(membership, name)
    if (above !== null && (await works(above, version, name))) controllers.set(name, join(above, folderName))
  }
  return { version, controllers }
}

/** The groups of a sandbox, with its limits. */
export async function makeGroups(
  cgroups: Cgroups,
  externalId: string,
  limits: SandboxLimits,
): Promise<readonly string[]> {
  const made = new Set<string>()
  for (const [name, parent] of cgroups.controllers) {
    const files = limitFiles(cgroups.version, name, limits)
    if (files.length === 0) continue
    const group = join(parent, externalId)
    await mkdir(group, { recursive: true })
    for (const { file, text } of files) await writeFile(join(group, file), text)
    made.add(group)
  }
  return [...made]
}

/** Limits a process and everything that it will start. The kernel takes tens of milliseconds, for all of them at once. */
export async function joinGroups(groups: readonly string[], pid: number): Promise<void> {
  await Promise.all(groups.map((group) => writeFile(join(group, 'cgroup.procs'), String(pid))))
}

/** The kernel lets a group go only when its last process is collected; what stays is taken up at the next start. */
export async function removeGroups(cgroups: Cgroups, externalId: string): Promise<void> {
  for (const parent of new Set(cgroups.controllers.values())) {
    for (let attempt = 0; attempt < 5 && !(await tryRemove(join(parent, externalId))); attempt += 1)
      await sleep(10)
  }
}

async function tryRemove(group: string): Promise<boolean> {
  return rmdir(group).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  )
}

/** Groups of version 1 go below the platform's own, so that its limits hold for the sandboxes as well. */
function ownFolder(membership: string, name: CgroupName): string | null {
  const own = ownGroup(membership, name)
  return own === null ? null : join(mount, name, own)
}

async function works(above: string, version: CgroupVersion, name: CgroupName): Promise<boolean> {
  const parent = join(above, folderName)
  const probe = join(parent, `probe-${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(parent, { recursive: true })
    if (version === 'v2') await writeFile(join(parent, 'cgroup.subtree_control'), `+${name}`)
    await mkdir(probe)
    for (const { file, text } of limitFiles(version, name, { cpu: 1, memory_mb: 256, pids: 100 })) {
      await writeFile(join(probe, file), text)
    }
    return true
  } catch {
    return false
  } finally {
    await rmdir(probe).catch(() => undefined)
  }
}
