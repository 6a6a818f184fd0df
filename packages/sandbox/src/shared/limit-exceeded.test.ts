import { expect, test } from 'vitest'
import { exitOf as dockerExit } from '../providers/docker/containers/exit-report.ts'
import { exitOf as kubernetesExit } from '../providers/kubernetes/state/exit-report.ts'
import { limitExceeded } from './limit-exceeded.ts'

const words = limitExceeded('memory', 512)

test('a limit is named with its size, where that is known', () => {
  expect(words).toBe('memory limit of 512 MB exceeded')
  expect(limitExceeded('disk', undefined)).toBe('disk limit exceeded')
})

test('a container and a pod without memory say it alike', () => {
  const state = {
    Running: false,
    ExitCode: 137,
    OOMKilled: true,
    StartedAt: '2026-01-01T00:00:00Z',
    Error: '',
  }
  const record = { stop_asked: false, ended_because: null, limits: { memory_mb: 512 } }
  expect(dockerExit(record, state)).toBe(words)
  const terminated = { exitCode: 137, reason: 'OOMKilled' }
  const status = {
    name: 'sandbox',
    image: 'i',
    imageID: '',
    ready: false,
    restartCount: 0,
    state: { terminated },
  }
  const container = { name: 'sandbox', resources: { limits: { memory: '512Mi' } } }
  expect(
    kubernetesExit({
      spec: { containers: [container] },
      status: { phase: 'Failed', containerStatuses: [status] },
    }),
  ).toBe(words)
})
