import { expect, test } from 'vitest'
import { containerOptions } from '../containers/container-options.ts'
import { deploymentLabel, sandboxLabel } from '../containers/containers.ts'
import { dockerPaths } from '../paths.ts'
import { judgeContainer } from './container-body.ts'
import { judgeCall } from './judge-call.ts'

const rules = {
  ...{ root: '/data/sandboxes/docker', harnesses: '/data/sandboxes/.harnesses' },
  ...{ scope: 'svc', build_network: 'none' },
}
const own = 'svc-0123456789ab'
const foreign = 'other-0123456789ab'
const id = `sbx_${'a'.repeat(32)}`
const labelled = (label: string) =>
  encodeURIComponent(JSON.stringify({ label: [`${deploymentLabel}=${label}`] }))
const labels = (label: string) => encodeURIComponent(JSON.stringify({ [deploymentLabel]: label }))

test.each([
  ['GET', '/info'],
  ['GET', `/containers/json?all=true&filters=${labelled(own)}&abortSignal=%7B%7D`],
  ['GET', `/images/json?filters=${labelled(own)}`],
  ['GET', '/images/registry.example:5000/a/b@sha256:00/json'],
  ['POST', '/images/create?fromImage=debian&tag=12'],
  ['DELETE', '/images/svc-template:0a'],
  [
    'POST',
    `/build?t=svc-template%3A0a&dockerfile=Dockerfile&networkmode=none&forcerm=true&labels=${labels(own)}`,
  ],
  ['POST', '/containers/create?name=x&Image=y'],
  ['GET', `/containers/svc-${id}/json?size=true`],
  ['POST', `/containers/svc-${id}/start`],
  ['POST', `/containers/svc-${id}/stop?t=2`],
  ['POST', `/containers/svc-${id}/kill`],
  ['DELETE', `/containers/svc-${id}?force=true&v=true`],
  ['GET', `/containers/svc-${id}/logs?stdout=true&stderr=true&follow=false&tail=400&since=1.5`],
])('%s %s passes', (method, url) => expect(judgeCall(rules, method, url).kind).not.toBe('refused'))

test.each([
  ['another call', 'POST', `/containers/svc-${id}/exec`],
  ['a shell in a container', 'POST', '/exec/0a/start'],
  ['a file of a container', 'GET', `/containers/svc-${id}/archive?path=/`],
  ['a limit that is raised', 'POST', `/containers/svc-${id}/update`],
  ['a container of another kind', 'GET', '/containers/postgres/json'],
  ['a container by its id', 'DELETE', `/containers/${'0'.repeat(64)}`],
  ['all containers', 'GET', '/containers/json?all=true'],
  ['containers of another deployment', 'GET', `/containers/json?filters=${labelled(foreign)}`],
  ['a label that only begins so', 'GET', `/images/json?filters=${labelled(`${own}x`)}`],
  ['a version before the path', 'GET', '/v1.41/info'],
  ['a path that the engine cleans', 'GET', '/images/x/../../secrets/json'],
  ['a path with an encoded dot', 'GET', '/images/x/%2e%2e/%2e%2e/volumes/json'],
  ['a path with two slashes', 'GET', '/images//../info/json'],
  ['an image from an address', 'POST', '/images/create?fromSrc=http%3A%2F%2Fx&repo=a'],
  ['a parameter that is given twice', 'POST', '/images/create?fromImage=a&fromImage=b'],
  [
    'a build from an address',
    'POST',
    `/build?t=svc-template%3A0a&remote=http%3A%2F%2Fx&networkmode=none&labels=${labels(own)}`,
  ],
  [
    'a build on the network of the host',
    'POST',
    `/build?t=svc-template%3A0a&networkmode=host&labels=${labels(own)}`,
  ],
  ['a build on no network that is named', 'POST', `/build?t=svc-template%3A0a&labels=${labels(own)}`],
  [
    'a build over an image of another',
    'POST',
    `/build?t=postgres%3A18&networkmode=none&labels=${labels(own)}`,
  ],
  [
    'a build for another deployment',
    'POST',
    `/build?t=svc-template%3A0a&networkmode=none&labels=${labels(foreign)}`,
  ],
  [
    'a build with another builder',
    'POST',
    `/build?version=2&t=svc-template%3A0a&networkmode=none&labels=${labels(own)}`,
  ],
  ['a volume', 'POST', '/volumes/create'],
  ['a network', 'POST', '/networks/create'],
  ['the engine by its session', 'POST', '/session'],
  ['a tag', 'POST', '/images/svc-sandbox:0a/tag?repo=postgres'],
  ['a signal', 'POST', `/containers/svc-${id}/kill?signal=STOP`],
])('%s is refused', (_, method, url) => expect(judgeCall(rules, method, url).kind).toBe('refused'))

const { name: container = '', ...options } = containerOptions({
  record: {
    external_id: id,
    limits: { memory_mb: 512, disk_mb: 9 },
    image_program: null,
    hosts: { api: '127.0.1.1' },
    disk_by_engine: true,
  },
  name: `svc-${id}`,
  image: 'svc-sandbox:0a',
  labels: { [deploymentLabel]: own, [sandboxLabel]: id },
  shared: dockerPaths(rules.root, id).shared,
  harnesses: rules.harnesses,
  runtime: undefined,
  engine_cpus: 2,
})
const body = JSON.parse(JSON.stringify({ ...options, name: container }))
const host = (changes: object) => ({ ...body, HostConfig: { ...body.HostConfig, ...changes } })
const first = (bind: string) => host({ Binds: [bind, body.HostConfig.Binds[1]] })
const judged = (value: unknown, name: string | null = container) =>
  judgeContainer(rules, name, typeof value === 'string' ? value : JSON.stringify(value)).refused

test('the container that the provider writes passes, written anew', () => {
  const verdict = judgeContainer(rules, container, JSON.stringify({ ...body, abortSignal: {} }))
  expect(verdict).toMatchObject({ refused: null, name: container, binds: body.HostConfig.Binds })
  const { name: _, ...written } = body
  expect(JSON.parse('body' in verdict ? verdict.body : '')).toEqual(written)
})

const program = containerOptions({
  ...{ name: container, image: 'svc-program:0a', labels: body.Labels, runtime: undefined, engine_cpus: 2 },
  ...{ shared: dockerPaths(rules.root, id).shared, harnesses: rules.harnesses },
  record: {
    ...{ external_id: id, limits: {}, hosts: {}, disk_by_engine: true },
    image_program: { command: [], folder: '/', environment: {}, user: 'node' },
  },
})

test('the container of a program in an image of its own passes', () => {
  expect(judged(program)).toBeNull()
})

test.each([
  ['root', { User: 'root' }],
  ['root by its number', { User: '0:1000' }],
  ['another entrypoint', { Entrypoint: ['/bin/sh', '-c', 'true'] }],
  ['a command', { Cmd: ['x'] }],
  ['no entrypoint of programs', { Entrypoint: undefined }],
  ['a variable that steers the loader', { Env: ['LD_PRELOAD=/x.so'] }],
])('a program with %s is refused', (_, changes) => expect(judged({ ...program, ...changes })).not.toBeNull())

test.each([
  ['privileges', host({ Privileged: true })],
  ['privileges, as the engine reads them too', host({ privileged: true })],
  ['privileges beside the settings', { ...body, hostconfig: { Privileged: true } }],
  ['an added capability', host({ CapAdd: ['SYS_ADMIN'] })],
  ['capabilities that stay', host({ CapDrop: [] })],
  ['the network of the host', host({ NetworkMode: 'host' })],
  ['the network of another container', host({ NetworkMode: 'container:postgres' })],
  ['the processes of the host', host({ PidMode: 'host' })],
  ['the memory of the host', host({ IpcMode: 'host' })],
  ['the users of the host', host({ UsernsMode: 'host' })],
  ['the names of the host', host({ UTSMode: 'host' })],
  ['the control groups of the host', host({ CgroupnsMode: 'host' })],
  ['a place among the control groups', host({ CgroupParent: '/' })],
  ['a device', host({ Devices: [{ PathOnHost: '/dev/sda', PathInContainer: '/dev/sda' }] })],
  ['a rule for devices', host({ DeviceCgroupRules: ['a *:* rwm'] })],
  ['a bind of everything', first('/:/host:ro')],
  ['a third bind', host({ Binds: [...body.HostConfig.Binds, '/:/host'] })],
  ['no store of harnesses', host({ Binds: body.HostConfig.Binds.slice(0, 1) })],
  ['another folder for the store', host({ Binds: [body.HostConfig.Binds[0], '/data:/data:ro'] })],
  [
    'a store that may be written',
    host({ Binds: [body.HostConfig.Binds[0], `${rules.harnesses}:/opt/svc/harnesses`] }),
  ],
  ['a bind that climbs', first(`${rules.root}/../../:/run/svc-platform:ro`)],
  ['a bind that may be written', first(`${dockerPaths(rules.root, id).shared}:/run/svc-platform`)],
  ['the bind of another sandbox', first(`${rules.root}/sbx_${'b'.repeat(32)}/net:/run/svc-platform:ro`)],
  ['a mount', host({ Mounts: [{ Type: 'bind', Source: '/', Target: '/host' }] })],
  ['the volumes of another', host({ VolumesFrom: ['postgres'] })],
  ['no seccomp', host({ SecurityOpt: ['no-new-privileges', 'seccomp=unconfined'] })],
  ['a /proc that is not masked', host({ MaskedPaths: [] })],
  ['a setting of the kernel', host({ Sysctls: { 'kernel.core_pattern': '|/x' } })],
  ['another runtime', host({ Runtime: 'other' })],
  ['a start at every boot', host({ RestartPolicy: { Name: 'always' } })],
  ['a log that goes elsewhere', host({ LogConfig: { Type: 'syslog', Config: {} } })],
  ['a published port', host({ PortBindings: { '22/tcp': [{ HostPort: '22' }] } })],
  ['a host of another machine', host({ ExtraHosts: ['api:10.0.0.1'] })],
  ['a program that may do more in memory', host({ Tmpfs: { '/run/svc': 'rw,exec,suid' } })],
  ['root', { ...body, User: '0:0' }],
  ['another program', { ...body, Entrypoint: ['/bin/sh'] }],
  ['a volume', { ...body, Volumes: { '/x': {} } }],
  ['another variable', { ...body, Env: ['LD_PRELOAD=/x'] }],
  ['networks beside', { ...body, NetworkingConfig: { EndpointsConfig: { bridge: {} } } }],
  ['the label of another deployment', { ...body, Labels: { ...body.Labels, [deploymentLabel]: foreign } }],
  ['no label', { ...body, Labels: {} }],
  ['a label of others', { ...body, Labels: { ...body.Labels, 'com.docker.compose.service': 'api' } }],
  ['no JSON', '{'],
])('a container with %s is refused', (_, value) => expect(judged(value)).not.toBeNull())

test('a container under the name of another is refused', () => {
  expect(judged(body, `svc-sbx_${'b'.repeat(32)}`)).not.toBeNull()
  expect(judged(body, null)).not.toBeNull()
})

test('of two keys with one name the engine sees the one that was judged', () => {
  const twice = JSON.stringify(body).replace('"Privileged":false', '"Privileged":true,"Privileged":false')
  const verdict = judgeContainer(rules, container, twice)
  expect('body' in verdict && verdict.body.match(/Privileged":\w+/g)).toEqual(['Privileged":false'])
})
