import { describe, expect, it } from 'vitest'
import { mountedPlaces, sandboxEnvironment } from './environment.ts'

const sandbox = (environment: Record<string, string>) => ({
  external_id: 'sbx_1',
  address: '127.9.8.7',
  service_port: 8000,
  runtime_port: 4096,
  environment,
})

describe('sandboxEnvironment', () => {
  it('adds the provider’s own to what was given', () => {
    expect(
      sandboxEnvironment(sandbox({ SVC_SESSION_ID: 's', KEY: 'a=b' }), mountedPlaces, 'http://api/v1'),
    ).toEqual({
      HOME: '/opt/svc/home',
      KEY: 'a=b',
      LANG: 'C.UTF-8',
      LOGNAME: 'svc',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      SVC_API_URL: 'http://api/v1',
      SVC_HARNESSES_DIR: '/opt/svc/harnesses',
      SVC_RUN_DIR: '/run/svc',
      SVC_RUNTIME_PORT: '4096',
      SVC_SANDBOX_ADDRESS: '127.9.8.7',
      SVC_SANDBOX_ID: 'sbx_1',
      SVC_SERVICE_PORT: '8000',
      SVC_SESSION_ID: 's',
      SVC_WORKSPACE: '/workspace',
      TMPDIR: '/tmp',
      USER: 'svc',
    })
  })

  it('lets a project set its language and API, not its places', () => {
    const given = {
      HOME: '/root',
      PATH: '/evil',
      SVC_SANDBOX_ID: 'other',
      LANG: 'de_DE',
      SVC_API_URL: 'http://b/v1',
    }
    expect(sandboxEnvironment(sandbox(given), mountedPlaces, 'http://a/v1')).toMatchObject({
      HOME: '/opt/svc/home',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      SVC_SANDBOX_ID: 'sbx_1',
      LANG: 'de_DE',
      SVC_API_URL: 'http://b/v1',
    })
  })

  it('puts the tools first where nothing is mounted', () => {
    const places = { ...mountedPlaces, tools: '/data/.tools/1' }
    expect(sandboxEnvironment(sandbox({}), places, '').PATH).toBe(
      '/data/.tools/1/bin:/usr/local/bin:/usr/bin:/bin',
    )
  })

  it.each([{ 'A=B': 'x' }, { '': 'x' }, { A: 'x\0y' }])('refuses %j', (environment) => {
    expect(() => sandboxEnvironment(sandbox(environment), mountedPlaces, '')).toThrow('cannot be passed on')
  })
})
