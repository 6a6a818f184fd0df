import { join } from 'node:path'
import { nodeName } from './kubelet.mjs'

/** The addresses of Services lead to their pods by rules of iptables, as on most clusters. */
export async function startServices(processes, { binaries, plane }) {
  const proxy = processes.start('kube-proxy', join(binaries, 'kube-proxy'), [
    `--kubeconfig=${plane.kubeconfig}`,
    `--hostname-override=${nodeName}`,
    '--proxy-mode=iptables',
    // Two pods on one bridge would answer each other past the rules.
    '--masquerade-all=true',
    // Those of the whole machine are not for this namespace to set.
    '--conntrack-max-per-core=0',
    '--conntrack-min=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
    '--oom-score-adj=0',
    '--healthz-bind-address=127.0.0.1:10256',
    '--metrics-bind-address=127.0.0.1:10249',
  ])
  const healthy = async () => (await fetch('http://127.0.0.1:10256/healthz')).ok
  await processes.until(proxy, 'the addresses of Services', healthy)
}
