import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { ask, newProject } = await openWorld()
const isName = (part: string) => part.startsWith('{') && !part.endsWith('_id}')

/** Whether a word of the one path stands where the other has a name that people give. */
function hides(one: string, other: string): boolean {
  const [words, names] = [one.split('/'), other.split('/')]
  if (words.length !== names.length) return false
  const pairs = words.map((word, index) => [word, names[index] ?? ''] as const)
  const differ = pairs.filter(([word, name]) => word !== name)
  return differ.length > 0 && differ.every(([word, name]) => !word.startsWith('{') && isName(name))
}

test('no word of a path stands where another has a name that people give, but `activation`', async () => {
  const { paths } = Object((await ask('GET', '/v1/openapi.json')).body)
  const all = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method, path })),
  )
  const hidden = all.flatMap(({ method, path }) =>
    all.filter((other) => other.method === method && hides(path, other.path)).map(() => `${method} ${path}`),
  )
  expect(all.length).toBeGreaterThan(100)
  expect(hidden).toEqual(['patch /v1/projects/{project_id}/triggers/activation'])
})

test('a trigger that is named `activation` is changed as any other', async () => {
  const path = `/v1/projects/${await newProject()}/triggers`
  const other = await ask('PATCH', `${path}/other`, { enabled: false })
  expect(await ask('PATCH', `${path}/activation`, { enabled: false })).toMatchObject({
    status: other.status,
    body: { code: Object(other.body).code },
  })
  expect(await ask('PATCH', `${path}/activation`, { paused: true })).toMatchObject({
    status: 200,
    body: { triggers_paused: true },
  })
  for (const body of [{}, { paused: 'x' }, { paused: true, enabled: true }])
    expect((await ask('PATCH', `${path}/activation`, body)).status).toBe(400)
})
