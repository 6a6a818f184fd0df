import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoreV1Api } from './client.mjs'
import { images } from './images.mjs'
import { hierarchies } from './leftovers.mjs'
import { clusterDomain } from './names.mjs'

export const nodeName = 'test-node'

/** One node, this machine, with Docker as its runtime and the engine's bridge as its network. */
export async function startKubelet(processes, { binaries, folder, group, engine, plane }) {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, group), { recursive: true })
  const config = join(folder, 'kubelet.json')
  writeFileSync(
    config,
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      cgroupDriver: 'cgroupfs',
      cgroupRoot: `/${group}`,
      clusterDNS: [engine.gateway],
      clusterDomain,
      failSwapOn: false,
      makeIPTablesUtilChains: false,
      podPidsLimit: 512,
      // The free space of this machine's disk says nothing about the tests.
      evictionHard: { 'nodefs.available': '0%', 'imagefs.available': '0%', 'memory.available': '0%' },
      imageGCHighThresholdPercent: 100,
      readOnlyPort: 0,
      resolvConf: '',
    }),
  )
  const kubelet = processes.start('kubelet', join(binaries, 'kubelet'), [
    `--kubeconfig=${plane.kubeconfig}`,
    `--config=${config}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--cert-dir=${join(folder, 'certs')}`,
    '--container-runtime=docker',
    `--docker-endpoint=${engine.host}`,
    `--pod-infra-container-image=${images.pause}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${engine.gateway}`,
    '--oom-score-adj=0',
  ])
  const core = plane.config.makeApiClient(CoreV1Api)
  await processes.until(kubelet, 'the node’s being ready', async () => {
    const node = await core.readNode({ name: nodeName })
    return node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
  })
}
