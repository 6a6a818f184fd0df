import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const groups = '/sys/fs/cgroup'

/** The folder of one run's files, and the name of its control groups. */
export function placesOf(id) {
  return { folder: `/var/tmp/svc-kubernetes-test-${id}`, group: `svc-kubernetes-test-${id}` }
}

/** The hierarchies of the first version, or the one of the second. */
export function hierarchies() {
  if (existsSync(join(groups, 'cgroup.controllers'))) return [groups]
  return readdirSync(groups)
    .map((name) => join(groups, name))
    .filter((path) => statSync(path).isDirectory())
}

/** Namespaces take processes, mounts and networks with them; folders and control groups stay. */
export async function removeLeftovers(id) {
  const { folder, group } = placesOf(id)
  for (const hierarchy of hierarchies()) await removeGroup(join(hierarchy, group))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Folders of runs that were killed before they could clean up. */
export async function removeLeftoversOfTheDead() {
  for (const name of readdirSync('/var/tmp')) {
    const id = /^svc-kubernetes-test-(\d+)$/.exec(name)?.[1]
    if (id !== undefined && !existsSync(`/proc/${id}`)) await removeLeftovers(id)
  }
}

async function removeGroup(path) {
  if (!existsSync(path)) return
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroup(join(path, entry.name))
  const deadline = Date.now() + 5_000
  while (existsSync(path)) {
    try {
      rmdirSync(path)
    } catch (error) {
      // The dead leave their groups a moment later.
      if (Date.now() < deadline) {
        await sleep(50)
        continue
      }
      process.stderr.write(`test:kubernetes: ${path} is left: ${String(error)}\n`)
      return
    }
  }
}
