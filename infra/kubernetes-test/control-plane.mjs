import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoreV1Api, KubeConfig } from './client.mjs'

/** etcd, the API server with RBAC and its usual admission, the controllers and the scheduler. */
export async function startControlPlane(processes, { binaries, folder, address }) {
  const etcd = processes.start('etcd', '/usr/bin/etcd', [
    '--data-dir',
    join(folder, 'etcd'),
    // Nothing here outlives this run.
    '--unsafe-no-fsync',
    '--listen-client-urls=http://127.0.0.1:2379',
    '--advertise-client-urls=http://127.0.0.1:2379',
    '--listen-peer-urls=http://127.0.0.1:2380',
  ])
  await processes.until(etcd, 'etcd’s start', async () => (await fetch('http://127.0.0.1:2379/health')).ok)

  const { certs, keys, tokens, token } = writeCredentials(folder)
  const server = `https://${address}:6443`
  const api = processes.start('kube-apiserver', join(binaries, 'kube-apiserver'), [
    '--etcd-servers=http://127.0.0.1:2379',
    '--bind-address=0.0.0.0',
    `--advertise-address=${address}`,
    '--secure-port=6443',
    `--cert-dir=${certs}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${keys.public}`,
    `--service-account-signing-key-file=${keys.private}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${tokens}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--allow-privileged=false',
  ])
  const ca = join(certs, 'apiserver.crt')
  const config = new KubeConfig()
  const kubeconfig = join(folder, 'admin.json')
  await processes.until(api, 'the API server’s start', async () => {
    const data = readFileSync(ca).toString('base64')
    writeFileSync(kubeconfig, kubeconfigText({ server, ca: data, token, namespace: 'default' }), {
      mode: 0o600,
    })
    config.loadFromFile(kubeconfig)
    // The controllers' roles are made after the server is up.
    await config.makeApiClient(CoreV1Api).readNamespace({ name: 'kube-system' })
    return true
  })
  const controllers = processes.start('kube-controller-manager', join(binaries, 'kube-controller-manager'), [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    `--service-account-private-key-file=${keys.private}`,
    `--root-ca-file=${ca}`,
    '--port=0',
  ])
  const scheduler = processes.start('kube-scheduler', join(binaries, 'kube-scheduler'), [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--port=0',
  ])
  return { server, ca, config, kubeconfig, controllers, scheduler }
}

function writeCredentials(folder) {
  const certs = join(folder, 'certs')
  mkdirSync(certs, { recursive: true })
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const keys = { public: join(certs, 'sa.pub'), private: join(certs, 'sa.key') }
  writeFileSync(keys.public, pair.publicKey)
  writeFileSync(keys.private, pair.privateKey, { mode: 0o600 })
  const token = randomBytes(24).toString('hex')
  const tokens = join(certs, 'tokens.csv')
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 })
  return { certs, keys, tokens, token }
}

/** A kubeconfig as JSON, which is YAML as well. */
export function kubeconfigText({ server, ca, token, namespace }) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
    'current-context': 'test',
  })
}
