/**
 * The cluster itself, in namespaces of its own (see run.mjs): every address and port is free, and everything that is
 * started here ends with this process.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startControlPlane } from './control-plane.mjs'
import { startEngine } from './engine.mjs'
import { images, makeImages } from './images.mjs'
import { startKubelet } from './kubelet.mjs'
import { placesOf } from './leftovers.mjs'
import { startNames } from './names.mjs'
import { prepareNamespaces } from './namespaces.mjs'
import { createProcesses } from './processes.mjs'
import { startServices } from './services.mjs'
import { startVolumes } from './volumes.mjs'

const [binaries, id, harnessesText, ...args] = process.argv.slice(2)
const harnesses = JSON.parse(harnessesText)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { folder, group } = placesOf(id)
mkdirSync(folder, { recursive: true })
const processes = createProcesses(join(folder, 'logs'))
let status = 1
try {
  spawnSync('ip', ['link', 'set', 'lo', 'up'])
  spawnSync('mount', ['--make-rshared', '/'])
  const engine = await startEngine(processes, folder)
  await makeImages(engine, root, binaries, harnesses)
  const plane = await startControlPlane(processes, { binaries, folder, address: engine.gateway })
  await startKubelet(processes, { binaries, folder, group, engine, plane })
  await startServices(processes, { binaries, plane })
  const names = await startNames(plane, engine.gateway)
  const { kubeconfig, namespace } = await prepareNamespaces(plane, root, folder)
  const volumes = startVolumes(plane, join(folder, 'volumes'))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = join(root, 'infra/kubernetes-test/vitest.config.mjs')
  const tests = [process.execPath, vitest, 'run', '--config', config, ...args]
  const [command, ...rest] = args[0] === '--exec' ? args.slice(1) : tests
  say(`running ${args[0] === '--exec' ? args.slice(1).join(' ') : 'the tests'}`)
  status = await processes.run(command, rest, {
    cwd: root,
    env: {
      ...process.env,
      SVC_TEST_KUBECONFIG: kubeconfig,
      SVC_TEST_KUBECONFIG_ADMIN: plane.kubeconfig,
      SVC_TEST_KUBERNETES_NAMESPACE: namespace,
      SVC_TEST_KUBERNETES_BASE_IMAGE: images.base,
      SVC_TEST_KUBERNETES_IMAGE: images.sandbox,
      SVC_TEST_KUBERNETES_COMPLETE_IMAGE: images.complete,
      SVC_TEST_KUBERNETES_HARNESS_IMAGE: images.harness,
      SVC_TEST_KUBERNETES_HARNESSES: harnesses.map((one) => `${one.name}@${one.version}`).join(','),
      SVC_TEST_KUBERNETES_HOST_ADDRESS: engine.gateway,
      SVC_TEST_KUBERNETES_ENGINE: engine.host,
    },
  })
  await volumes.close()
  names.close()
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  say(`logs are in ${processes.keepLogs(mkdtempSync(join(tmpdir(), 'svc-kubernetes-logs-')))}`)
} finally {
  await processes.end()
}
process.exit(status)

function say(text) {
  process.stderr.write(`test:kubernetes: ${text}\n`)
}
