import type { V1Pod } from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import { exitOf, readExitReport } from './exit-report.ts'

const ended = (terminated: object, status: object = {}, metadata: object = {}): V1Pod => ({
  metadata,
  status: {
    phase: 'Failed',
    ...status,
    containerStatuses: [
      {
        name: 'sandbox',
        image: 'i',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 0, ...terminated } },
      },
    ],
  },
})

describe('how a sandbox ended', () => {
  it.each([
    [ended({ exitCode: 7 }), 'exited with code 7'],
    [ended({ exitCode: 137 }), 'killed by SIGKILL'],
    [ended({ exitCode: 137, reason: 'OOMKilled' }), 'memory limit exceeded'],
    [
      ended({ exitCode: 137 }, { reason: 'Evicted', message: 'The node was low on ephemeral-storage.' }),
      'killed by SIGKILL, evicted by the cluster: The node was low on ephemeral-storage.',
    ],
    [
      { status: { phase: 'Failed', reason: 'Evicted', message: 'no memory' } },
      'Evicted by the cluster: no memory',
    ],
    [{ status: { phase: 'Failed' } }, 'ended without a status'],
    [{ status: { phase: 'Pending' } }, null],
    [ended({ exitCode: 143 }, {}, { deletionTimestamp: new Date() }), null],
  ])('%j', (pod, words) => {
    expect(exitOf(pod)).toBe(words)
  })
})

describe('what it said last', () => {
  it('is read back, and empty when it is not there or unusable', () => {
    const words = { exit: 'exited with code 1', output: 'oh' }
    expect(readExitReport(JSON.stringify(words))).toEqual(words)
    for (const text of [undefined, '', '{', '{"exit":1}'])
      expect(readExitReport(text)).toEqual({ exit: null, output: '' })
  })
})
