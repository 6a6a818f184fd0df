import { expect, test } from 'vitest'
import { warmPoolOf } from './pool-key.ts'

const tools = { node: process.execPath, cli_folder: null, runtimes: {} }

/** The recipe as a provider of pods has it, or several providers of which one does. */
const podsOf = (image: string, alone: boolean) => () => ({
  place: alone ? ['boxes'] : null,
  recipe: [image],
  start_ms: 180_000,
})

function poolOf(parts: { provider: string[]; folder?: string; image?: string; agent_bundle?: string }) {
  const { provider, folder = '/a', image = 'svc:1', agent_bundle = '/none' } = parts
  const pods = provider.includes('kubernetes') ? { poolScope: podsOf(image, provider.length === 1) } : {}
  return warmPoolOf({
    size: 1,
    runtime: 'pi',
    provider: { name: provider.join(), ...pods },
    deployment: 'team',
    folder,
    tools: { ...tools, agent_bundle },
    addresses: ['https://svc.example/v1', null],
  })
}

test('a pool is one machine’s, of pods the whole deployment’s', () => {
  const isShared = (provider: string[]) =>
    poolOf({ provider, folder: '/a' }).pool === poolOf({ provider, folder: '/b' }).pool
  expect([['bubblewrap'], ['docker'], ['docker', 'kubernetes']].map(isShared)).toEqual([false, false, false])
  expect(isShared(['kubernetes'])).toBe(true)
})

test('what waits is of another make when its programs are: the machine’s own, or the image’s', () => {
  const differs = (provider: string[], change: { image?: string; agent_bundle?: string }) =>
    poolOf({ provider }).recipe !== poolOf({ provider, ...change }).recipe
  const bundle = { agent_bundle: process.execPath }
  expect([differs(['docker'], bundle), differs(['docker'], { image: 'svc:2' })]).toEqual([true, false])
  expect([differs(['kubernetes'], bundle), differs(['kubernetes'], { image: 'svc:2' })]).toEqual([
    false,
    true,
  ])
  const both = ['docker', 'kubernetes']
  expect([differs(both, bundle), differs(both, { image: 'svc:2' })]).toEqual([true, true])
})

test('a pod is given the time that the cluster may take for it', () => {
  expect(poolOf({ provider: ['docker'] }).warming_ms).toBe(120_000)
  expect(poolOf({ provider: ['kubernetes'] }).warming_ms).toBe(120_000 + 180_000)
})
