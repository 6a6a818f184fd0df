import type { V1Pod } from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import { startVerdict } from './start-verdict.ts'

const patient = { schedule_over: false, start_over: false }
const status = (state: object, name = 'sandbox') => ({
  name,
  image: 'registry/i:1',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
})
const waiting = (reason: string, message = 'the message'): V1Pod => ({
  metadata: { name: 'a' },
  status: { phase: 'Pending', containerStatuses: [status({ waiting: { reason, message } })] },
})
const ended = (reason: string, exitCode: number): V1Pod => ({
  metadata: { name: 'a' },
  status: {
    phase: 'Failed',
    podIP: '10.0.0.9',
    containerStatuses: [status({ terminated: { exitCode, reason, message: 'the message' } })],
  },
})
const unscheduled = (message: string): V1Pod => ({
  metadata: { name: 'a' },
  status: {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  },
})
const refusedByNode = (reason: string): V1Pod => ({
  metadata: { name: 'a' },
  status: { phase: 'Failed', reason, message: 'the message' },
})
const running: V1Pod = {
  metadata: { name: 'a' },
  status: { phase: 'Running', podIP: '10.0.0.9', containerStatuses: [status({ running: {} })] },
}

const refusal = (pod: V1Pod, deadlines = patient) => {
  const verdict = startVerdict(pod, deadlines)
  return verdict.verdict === 'refused' ? verdict.error : verdict.verdict
}

describe('whether a pod will run', () => {
  it.each([
    ['ImagePullBackOff', 'image'],
    ['InvalidImageName', 'image'],
    ['ErrImageNeverPull', 'image'],
    ['RunContainerError', 'image'],
    ['CreateContainerError', 'image'],
  ])('%s is a failure of kind %s', (reason, kind) => {
    expect(refusal(waiting(reason))).toMatchObject({
      kind,
      retryable: false,
      message: expect.stringContaining('the message'),
    })
  })

  it.each(['ErrImagePull', 'ContainerCreating', 'PodInitializing', 'CreateContainerConfigError'])(
    '%s may pass',
    (reason) => {
      expect(refusal(waiting(reason))).toBe('waiting')
    },
  )

  it('an image that runs as root is refused at once', () => {
    const pod = waiting('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root')
    expect(refusal(pod)).toMatchObject({ kind: 'image' })
  })

  it.each(['OutOfcpu', 'OutOfmemory', 'OutOfpods', 'Evicted', 'NodeAffinity'])(
    '%s is a lack of room',
    (reason) => {
      expect(refusal(refusedByNode(reason))).toMatchObject({ kind: 'capacity', retryable: true })
    },
  )

  it('without a node it waits, and then there is no room', () => {
    const pod = unscheduled('0/3 nodes are available: 3 Insufficient memory.')
    expect(refusal(pod)).toBe('waiting')
    expect(refusal(pod, { ...patient, schedule_over: true })).toMatchObject({
      kind: 'capacity',
      message: 'No node or volume has room for the sandbox: 0/3 nodes are available: 3 Insufficient memory.',
    })
  })

  it.each([
    ['pod has unbound immediate PersistentVolumeClaims', true],
    ['0/1 nodes are available: 1 node(s) had volume node affinity conflict.', false],
  ])('%s is a lack of storage; that it may pass is %s', (message, retryable) => {
    expect(refusal(unscheduled(message), { ...patient, schedule_over: true })).toMatchObject({
      kind: 'quota',
      retryable,
    })
  })

  it.each([
    "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.",
    "0/2 nodes are available: 1 Insufficient memory, 1 node(s) didn't find available persistent volumes to bind.",
    '0/2 nodes are available: 1 node(s) had volume node affinity conflict, 1 Insufficient memory.',
  ])('%s is a lack of room, which passes when others go', (message) => {
    expect(refusal(unscheduled(message), { ...patient, schedule_over: true })).toMatchObject({
      kind: 'capacity',
      retryable: true,
      message: `No node or volume has room for the sandbox: ${message}`,
    })
  })

  it('a scheduled pod is not blamed on the scheduler', () => {
    expect(refusal(waiting('ContainerCreating'), { ...patient, schedule_over: true })).toBe('waiting')
  })

  it('a program that is not in the image is the image’s fault, also when it has ended', () => {
    expect(refusal(ended('ContainerCannotRun', 127))).toMatchObject({ kind: 'image' })
    expect(refusal(ended('StartError', 128))).toMatchObject({ kind: 'image' })
  })

  it('what ran and ended has started', () => {
    expect(startVerdict(ended('Error', 1), patient).verdict).toBe('started')
  })

  it('what runs has started', () => {
    expect(startVerdict(running, patient).verdict).toBe('started')
    expect(startVerdict(running, { schedule_over: true, start_over: true }).verdict).toBe('started')
  })

  it('what somebody deletes meanwhile is deleted', () => {
    expect(startVerdict(null, patient).verdict).toBe('deleted')
    const leaving = { ...running, metadata: { deletionTimestamp: new Date() } }
    expect(startVerdict(leaving, patient).verdict).toBe('deleted')
  })

  it('folders that cannot be made are told', () => {
    const pod: V1Pod = {
      status: {
        phase: 'Failed',
        initContainerStatuses: [status({ terminated: { exitCode: 1, message: 'read-only' } }, 'prepare')],
      },
    }
    expect(refusal(pod)).toMatchObject({ kind: 'internal', message: expect.stringContaining('read-only') })
  })

  it.each([
    ['ErrImagePull', 'image'],
    ['ContainerCreating', 'internal'],
  ])('when the time is over, %s is a failure of kind %s', (reason, kind) => {
    expect(refusal(waiting(reason), { schedule_over: true, start_over: true })).toMatchObject({
      kind,
      retryable: true,
      message: expect.stringContaining(reason),
    })
  })
})
