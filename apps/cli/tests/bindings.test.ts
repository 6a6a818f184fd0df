import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const base = `/v1/projects/${projectId}`
const session_id = '66666666-6666-4666-8666-666666666666'
const [first, second] = ['88888888-8888-4888-8888-888888888888', '99999999-9999-4999-8999-999999999999']
const ofSession = `${base}/sessions/${session_id}/connectors`
const ofTrigger = `${base}/triggers/nightly/bindings`
const { api, run, bodyOf } = await openWorld()

const row = (slug: string, label: string | null) => ({
  ...{
    slug,
    name: slug,
    status: 'ready',
    connected: label !== null,
    connect_url: `https://svc.test/${slug}`,
  },
  connection: label === null ? null : { connection_id: first, label, scope: 'project' },
})
const chosen = {
  connector_bindings: { tracker: { connection_id: first } },
  connectors: [row('tracker', 'Bot'), row('crm', null)],
}

describe('the connections of a session', () => {
  it('are shown, with the page where a missing one is connected', async () => {
    api.routes[`GET ${ofSession}`] = () => ok(chosen)
    const { stdout, stderr } = await run(['sessions', 'connectors', session_id])
    expect(stdout).toMatch(/tracker\s+Bot\s+the project\s+yes/)
    expect(stdout).toMatch(/crm\s+missing/)
    expect(stderr).toContain('Connect crm: https://svc.test/crm')
    expect(bodyOf('PUT')).toBeUndefined()
  })

  it('are chosen one by one, and the others stay', async () => {
    api.routes[`GET ${ofSession}`] = () => ok(chosen)
    api.routes[`PUT ${ofSession}`] = () => ok(chosen)
    expect((await run(['sessions', 'connectors', session_id, `crm=${second}`])).code).toBe(0)
    expect(bodyOf('PUT')).toEqual({
      connector_bindings: { tracker: { connection_id: first }, crm: { connection_id: second } },
    })
  })

  it('go back to a default without a connection', async () => {
    api.routes[`GET ${ofSession}`] = () => ok(chosen)
    api.routes[`PUT ${ofSession}`] = () => ok(chosen)
    expect((await run(['sessions', 'connectors', session_id, 'tracker='])).code).toBe(0)
    expect(bodyOf('PUT')).toEqual({ connector_bindings: {} })
  })

  it('are named when it starts, and a missing one says where it is connected', async () => {
    const connectors = [{ slug: 'crm', connect_url: 'https://svc.test/crm' }]
    api.routes[`POST ${base}/sessions`] = () =>
      refusal(409, 'connector_not_connected', 'The agent needs crm', { connectors })
    const { code, stderr } = await run(['sessions', 'new', '--bind', `tracker=${first}`])
    expect(code).toBe(1)
    expect(stderr).toContain('next: `svc connectors connect crm`, or in the browser: https://svc.test/crm')
    expect(bodyOf('POST')).toEqual({ connector_bindings: { tracker: { connection_id: first } } })
  })
})

describe('the connections of a trigger', () => {
  it('are shown and chosen', async () => {
    const { connector_bindings } = chosen
    api.routes[`GET ${ofTrigger}`] = () => ok({ trigger: 'nightly', connector_bindings })
    api.routes[`PUT ${ofTrigger}`] = () => ok({ trigger: 'nightly', connector_bindings: {} })
    expect((await run(['triggers', 'bind', 'nightly'])).stdout).toMatch(`tracker    ${first}`)
    const { stderr } = await run(['triggers', 'bind', 'nightly', 'tracker='])
    expect(stderr).toContain('nightly works with the default connections of the project')
    expect(bodyOf('PUT')).toEqual({ connector_bindings: {} })
  })

  it('are written as connector=connection', async () => {
    api.routes[`GET ${ofTrigger}`] = () => ok({ trigger: 'nightly', connector_bindings: {} })
    const { code, stderr } = await run(['triggers', 'bind', 'nightly', 'tracker'])
    expect(code).toBe(2)
    expect(stderr).toContain('"tracker" chooses no connection: write <connector>=<connection>')
  })
})
