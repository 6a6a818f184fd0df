import { expect, test } from 'vitest'
import { readReference } from './reference.ts'

const digest = `sha256:${'0'.repeat(64)}`

test.each([
  ['nginx', 'registry-1.docker.io', 'docker.io/library/nginx', 'latest'],
  ['docker.io/nginx:1', 'registry-1.docker.io', 'docker.io/library/nginx', '1'],
  ['grafana/grafana:11.2', 'registry-1.docker.io', 'docker.io/grafana/grafana', '11.2'],
  ['localhost/app', 'localhost', 'localhost/app', 'latest'],
  ['127.0.0.1:5000/team/site:1', '127.0.0.1:5000', '127.0.0.1:5000/team/site', '1'],
  [`ghcr.io/a/b-c/d:1@${digest}`, 'ghcr.io', 'ghcr.io/a/b-c/d', digest],
])('%s is at %s', (text, host, name, version) => {
  expect(readReference(text)).toMatchObject({ host, name, version })
})

test.each(['', 'UPPER', 'a b', '../a', 'http://a/b', 'a:b:c', `a@sha256:0`])('%j is refused', (text) => {
  expect(() => readReference(text)).toThrow('is no name of an image')
})
