import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const delivery_id = '88888888-8888-4888-8888-888888888888'
const one = `/v1/projects/${projectId}/channels/svc_email`
const { api, run } = await openWorld()

describe('svc channels decide', () => {
  it('lets a message that waits through to the agent, or not', async () => {
    const delivery = {
      ...{ delivery_id, platform_id: 'm1', kind: 'message', sender: 'bob@example.org', text: 'In blue' },
      ...{ received_at: '2026-01-02T00:00:00Z', verdict: 'asked', reason: 'owner_asked' },
      ...{ thread_id: delivery_id, prompt_id: null, attempts: 0 },
    }
    api.routes[`GET ${one}/deliveries`] = () => ok({ deliveries: [delivery], next_cursor: null })
    api.routes[`POST ${one}/deliveries/${delivery_id}/decision`] = () => ok(delivery)
    const command = `channels decide svc_email ${delivery_id}`
    const listed = await run(['channels', 'deliveries', 'svc_email'])
    expect(listed.stderr).toContain(`svc ${command} allow`)
    const decide = (decision: string) => run([...command.split(' '), decision])
    const sent = () => api.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect((await decide('always')).stdout).toContain('The agent is given it.')
    expect((await decide('deny')).stdout).toContain('The agent is not given it.')
    expect(sent()).toEqual([{ decision: 'always' }, { decision: 'deny' }])
    expect((await decide('perhaps')).code).toBe(2)
  })
})
