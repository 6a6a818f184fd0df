import { expect, test } from 'vitest'
import { imageUser } from './image-user.ts'
import { programPodManifest, type ProgramPodInput } from './program-pod.ts'

const input: ProgramPodInput = {
  ...{ name: `sbx-${'a'.repeat(32)}`, deployment: 'here-apps', labels: {}, tools_image: 'svc-sandbox:1' },
  ...{
    own: null,
    environment: { SVC_PROGRAM_KEY: 'a digest $(HOME)' },
    runtime_class: null,
    pull_secret: null,
  },
  limits: { cpu: 1, memory_mb: 512, disk_mb: 1_024 },
}
const own = { image: `registry.example/site@sha256:${'0'.repeat(64)}`, user: 1_234 }

test('the pod of a program has no claim, no token, and a disk that is bounded', () => {
  const { spec, metadata } = programPodManifest(input)
  expect(metadata?.labels?.['app.kubernetes.io/name']).toBe('svc-program')
  expect(spec).toMatchObject({ automountServiceAccountToken: false, restartPolicy: 'Never' })
  expect(spec).not.toHaveProperty('volumes')
  expect(spec).not.toHaveProperty('initContainers')
  expect(spec?.containers[0]?.resources?.limits?.['ephemeral-storage']).toBe('1024Mi')
  expect(spec?.containers[0]?.env).toEqual([{ name: 'SVC_PROGRAM_KEY', value: 'a digest $$(HOME)' }])
})

test('an image is run as it is, by its own user, with what was brought to it', () => {
  const { spec } = programPodManifest({ ...input, own, pull_secret: 'registry' })
  expect(spec?.imagePullSecrets).toEqual([{ name: 'registry' }])
  expect(spec?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1_234 })
  expect(spec?.initContainers?.[0]?.image).toBe('svc-sandbox:1')
  const [container] = spec?.containers ?? []
  expect(container?.image).toBe(own.image)
  expect(container?.command?.[0]).toBe('/opt/svc/tools/ld/loader')
  const empty = container?.env?.filter(({ value }) => value === '').map(({ name }) => name)
  expect(empty).toEqual(expect.arrayContaining(['KUBERNETES_SERVICE_HOST', 'NODE_OPTIONS', 'LD_PRELOAD']))
  expect(container?.volumeMounts).toEqual([
    { name: 'svc', mountPath: '/opt/svc', readOnly: true },
    { name: 'files', mountPath: '/opt/svc/files' },
  ])
})

test.each([
  ['1234', 1_234],
  ['1234:5', 1_234],
  ['0', 1_000],
  ['root', 1_000],
  ['nginx', 1_000],
  ['', 1_000],
])('the user %j of an image is %i', (User, user) => {
  expect(imageUser(User)).toBe(user)
})
