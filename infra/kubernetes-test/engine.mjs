import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A Docker engine with its usual bridge, in this namespace; the pods' network is that bridge. */
export async function startEngine(processes, folder) {
  const data = join(folder, 'docker')
  mkdirSync(data, { recursive: true })
  const host = `unix://${join(data, 'docker.sock')}`
  const config = join(data, 'daemon.json')
  writeFileSync(
    config,
    JSON.stringify({
      'data-root': join(data, 'data'),
      'exec-root': join(data, 'exec'),
      pidfile: join(data, 'docker.pid'),
      hosts: [host],
      mtu: 1400,
      'userland-proxy': false,
    }),
  )
  const spaces = [
    '--containerd-namespace',
    'svc-kubernetes-test',
    '--containerd-plugins-namespace',
    'svc-kubernetes-test-plugins',
  ]
  const engine = processes.start('dockerd', '/usr/sbin/dockerd', ['--config-file', config, ...spaces])
  const docker = (args, options = {}) => {
    const { status, stdout, stderr } = spawnSync('/usr/bin/docker', ['-H', host, ...args], {
      encoding: 'utf8',
      ...options,
    })
    if (status !== 0) throw new Error(`docker ${args.join(' ')} failed: ${stderr}`)
    return stdout.trim()
  }
  await processes.until(engine, 'the engine’s start', async () => docker(['version']))
  const gateway = docker(['network', 'inspect', 'bridge', '-f', '{{(index .IPAM.Config 0).Gateway}}'])
  return { host, docker, gateway: gateway === '' ? '172.17.0.1' : gateway }
}
