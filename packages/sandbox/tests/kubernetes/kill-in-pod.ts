import { readdir, readFile } from 'node:fs/promises'
import type { SandboxProvider } from '../../src/index.ts'
import { environmentOf } from '../../src/testing/sandbox-client.ts'
import type { TestCluster } from '../../src/testing/cluster.ts'

/** kill -9 of the daemon from the node, which is this machine: found by the control group of its pod. */
export async function killInPod(
  cluster: TestCluster,
  provider: SandboxProvider,
  externalId: string,
): Promise<void> {
  const endpoint = await provider.endpoint(externalId)
  if (endpoint === null) throw new Error('The sandbox does not run.')
  await environmentOf(endpoint)
  await killFirstOf(cluster, externalId)
}

/** The same of whatever is the first of a sandbox. */
export async function killFirstOf(cluster: TestCluster, externalId: string): Promise<void> {
  const name = externalId.replace('_', '-')
  const pod = await cluster.admin.readNamespacedPod({ namespace: cluster.namespace, name })
  const uid = pod.metadata?.uid ?? 'none'
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  for (const pid of pids) {
    const text = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    if (!(await text('cgroup')).includes(uid) || !(await text('cmdline')).includes('svc-boot.mjs')) continue
    process.kill(pid, 'SIGKILL')
    return
  }
  throw new Error('The daemon was not found.')
}
