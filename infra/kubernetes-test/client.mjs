import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The client is the sandbox package's, not the root's. */
const require = createRequire(new URL('../../packages/sandbox/package.json', import.meta.url))
const client = await import(pathToFileURL(require.resolve('@kubernetes/client-node')).href)

export const { CoreV1Api, KubeConfig, KubernetesObjectApi, StorageV1Api, loadAllYaml } = client
