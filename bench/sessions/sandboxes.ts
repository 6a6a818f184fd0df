import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestCluster } from '@svc/sandbox/testing/cluster'
import { run } from './measure.ts'

/** A look at a provider's sandboxes from beside the platform. */
export interface Sandboxes {
  /** The output of a sandbox. */
  outputOf(external_id: string): Promise<string>
  /** The output of each sandbox that there is. */
  outputs(): Promise<readonly string[]>
  /** True once nothing is left of it. */
  isGone(external_id: string): Promise<boolean>
}

/** Processes, in or out of bubblewrap: each has a folder. */
export function processSandboxes(folder: string): Sandboxes {
  const outputOf = (id: string) => readFile(join(folder, id, 'output.log'), 'utf8')
  const list = async () => (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('sbx_'))
  return {
    outputOf,
    outputs: async () => Promise.all((await list()).map((id) => outputOf(id).catch(() => ''))),
    isGone: async (external_id) => {
      const left = [...(await list()), ...(await readdir(join(folder, '.trash')).catch(() => []))]
      return !left.some((name) => name.startsWith(external_id))
    },
  }
}

export function dockerSandboxes(engine: string): Sandboxes {
  const docker = (...args: string[]) => run('docker', ['-H', engine, ...args])
  const list = async (...args: string[]) =>
    (await docker('ps', '--format', '{{.Names}}', ...args)).split('\n').filter((name) => name !== '')
  const logOf = (name: string) => docker('logs', name)
  return {
    outputOf: (external_id) => logOf(`svc-${external_id}`),
    outputs: async () => Promise.all((await list()).map((name) => logOf(name).catch(() => ''))),
    isGone: async (external_id) => !(await list('-a')).some((name) => name === `svc-${external_id}`),
  }
}

export function podSandboxes({ admin, namespace }: TestCluster): Sandboxes {
  const nameOf = (external_id: string) => external_id.replace('_', '-')
  const podNames = async () =>
    (await admin.listNamespacedPod({ namespace })).items.flatMap(({ metadata }) => metadata?.name ?? [])
  const logOf = (name: string) => admin.readNamespacedPodLog({ namespace, name, container: 'sandbox' })
  return {
    outputOf: (external_id) => logOf(nameOf(external_id)),
    outputs: async () => Promise.all((await podNames()).map((name) => logOf(name).catch(() => ''))),
    isGone: async (external_id) => {
      const claims = await admin.listNamespacedPersistentVolumeClaim({ namespace })
      const left = [...(await podNames()), ...claims.items.map(({ metadata }) => metadata?.name)]
      return !left.includes(nameOf(external_id))
    },
  }
}
