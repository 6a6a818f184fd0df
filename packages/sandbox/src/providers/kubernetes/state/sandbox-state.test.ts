import type { V1Pod } from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import { podStateOf, statusOf } from './sandbox-state.ts'

const going = new Date()
const claim = { metadata: { name: 'a' } }
const container = (state: object) => ({
  name: 'sandbox',
  image: 'i',
  imageID: '',
  ready: true,
  restartCount: 0,
  state,
})
const pod = (phase: string, state?: object, more: { leaving?: boolean; ready?: string } = {}): V1Pod => ({
  metadata: { name: 'a', ...(more.leaving === true ? { deletionTimestamp: going } : {}) },
  status: {
    phase,
    ...(state === undefined ? {} : { containerStatuses: [container(state)] }),
    ...(more.ready === undefined ? {} : { conditions: [{ type: 'Ready', status: more.ready }] }),
  },
})
const on = { running: { startedAt: going } }
const off = { terminated: { exitCode: 0 } }
const waiting = { waiting: { reason: 'ContainerCreating' } }

describe('what can be said of a sandbox', () => {
  it.each([
    ['no pod, claim', null, claim, 'stopped'],
    ['no pod, no claim', null, null, 'removed'],
    ['no pod, claim on its way out', null, { metadata: { deletionTimestamp: going } }, 'removed'],
    ['running and ready', pod('Running', on, { ready: 'True' }), claim, 'running'],
    [
      'running, claim on its way out',
      pod('Running', on, { ready: 'True' }),
      { metadata: { deletionTimestamp: going } },
      'running',
    ],
    ['running on a node that reports nothing', pod('Running', on, { ready: 'False' }), claim, 'unknown'],
    [
      'running on a node of which nothing is known',
      pod('Running', on, { ready: 'Unknown' }),
      claim,
      'unknown',
    ],
    ['of an unknown phase', pod('Unknown', on), claim, 'unknown'],
    ['waiting for a node', pod('Pending'), claim, 'unknown'],
    ['waiting for its image', pod('Pending', waiting), claim, 'unknown'],
    ['ended', pod('Succeeded', off), claim, 'stopped'],
    ['failed', pod('Failed', off), claim, 'stopped'],
    ['evicted', pod('Failed'), claim, 'stopped'],
    ['ended before the phase says so', pod('Running', off), claim, 'stopped'],
    ['being stopped', pod('Running', on, { leaving: true }), claim, 'unknown'],
    ['stopped, its record still there', pod('Running', off, { leaving: true }), claim, 'stopped'],
    [
      'destroyed, its record still there',
      pod('Failed', off, { leaving: true }),
      { metadata: { deletionTimestamp: going } },
      'removed',
    ],
  ])('%s', (_, seen, kept, status) => {
    expect(statusOf(seen, kept)).toBe(status)
  })

  it('tells a pod that was deleted from one that is silent', () => {
    expect(podStateOf(pod('Running', on, { leaving: true }))).toBe('leaving')
    expect(podStateOf(pod('Running', on, { ready: 'False' }))).toBe('lost')
  })
})
