import { expect, test } from 'vitest'
import { gitRoute } from './route.ts'

const id = '11111111-2222-4333-8444-555555555555'

test('the three routes of smart HTTP', () => {
  expect(gitRoute('GET', `/v1/git/${id}.git/info/refs?service=git-upload-pack`)).toEqual({
    kind: 'route',
    route: { project_id: id, service: 'git-upload-pack', advertise: true },
  })
  expect(gitRoute('GET', `/v1/git/${id}.git/info/refs?service=git-receive-pack`)).toMatchObject({
    route: { service: 'git-receive-pack', advertise: true },
  })
  expect(gitRoute('POST', `/v1/git/${id}.git/git-receive-pack`)).toMatchObject({
    route: { service: 'git-receive-pack', advertise: false },
  })
})

test.each([
  ['GET', `/v1/git/${id}.git`, 404],
  ['GET', `/v1/git/${id}.git/HEAD`, 404],
  ['GET', `/v1/git/${id}.git/objects/info/packs`, 404],
  ['GET', `/v1/git/${id}.git/config`, 404],
  ['GET', `/v1/git/${id}/info/refs?service=git-upload-pack`, 404],
  ['GET', `/v1/git/../${id}.git/info/refs?service=git-upload-pack`, 404],
  ['GET', `/v1/git/no-uuid.git/info/refs?service=git-upload-pack`, 404],
  ['GET', `/v1/git/${id}.git/info/refs`, 403],
  ['GET', `/v1/git/${id}.git/info/refs?service=git-upload-archive`, 403],
  ['POST', `/v1/git/${id}.git/info/refs?service=git-upload-pack`, 405],
  ['GET', `/v1/git/${id}.git/git-upload-pack`, 405],
])('%s %s is refused with %i', (method, url, status) => {
  expect(gitRoute(method, url)).toMatchObject({ kind: 'refused', status })
})
