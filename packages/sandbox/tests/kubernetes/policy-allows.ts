import { BlockList, isIP } from 'node:net'
import type { V1NetworkPolicy, V1NetworkPolicyEgressRule, V1NetworkPolicyPort } from '@kubernetes/client-node'

/** True when a cluster that enforces these policies lets a TCP connection out to an address outside of it. */
export function policiesAllow(policies: readonly V1NetworkPolicy[], address: string, port: number): boolean {
  const rules = policies.flatMap(({ spec }) => spec?.egress ?? [])
  return rules.some((rule) => hasPeer(rule, address) && hasPort(rule.ports, port))
}

function hasPeer({ to }: V1NetworkPolicyEgressRule, address: string): boolean {
  if (to === undefined || to.length === 0) return true
  return to.some(({ ipBlock }) => {
    if (ipBlock === undefined || !within(ipBlock.cidr, address)) return false
    return !(ipBlock.except ?? []).some((range) => within(range, address))
  })
}

function hasPort(ports: readonly V1NetworkPolicyPort[] | undefined, port: number): boolean {
  if (ports === undefined || ports.length === 0) return true
  return ports.some((one) => {
    const first = Number(one.port)
    return one.protocol === 'TCP' && port >= first && port <= (one.endPort ?? first)
  })
}

function within(range: string, address: string): boolean {
  const [network = '', bits = ''] = range.split('/')
  if (isIP(network) !== isIP(address)) return false
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family)
  return list.check(address, family)
}
