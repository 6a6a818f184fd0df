import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform } = await openWorld()

test('each write of a secret tells how many are left in the hour, and a read tells nothing', async () => {
  const { token } = platform.owner
  const json = { name: 'secrets' }
  const project = await platform.call('/v1/projects/provision', { token, method: 'POST', json })
  const secrets = `/v1/projects/${project.pick('project_id')}/secrets`
  const told = async (method: string, path: string, body?: object) => {
    const { status, headers } = await platform.call(path, { token, method, ...(body ? { json: body } : {}) })
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  expect(await told('PUT', `${secrets}/A`, { value: '1' })).toEqual([200, '100', '99'])
  expect(await told('POST', secrets, { name: 'B', value: '1' })).toEqual([201, '100', '98'])
  expect(await told('DELETE', `${secrets}/A`)).toEqual([204, '100', '97'])
  expect(await told('PUT', secrets.replace('/secrets', '/personal-secrets/A'), { value: '1' })).toEqual([
    200,
    '100',
    '96',
  ])
  expect(await told('GET', secrets)).toEqual([200, null, null])
  for (let left = 96; left > 0; left--) await told('PUT', `${secrets}/A`, { value: '1' })
  expect(await told('PUT', `${secrets}/A`, { value: '1' })).toEqual([429, '100', '0'])
})
