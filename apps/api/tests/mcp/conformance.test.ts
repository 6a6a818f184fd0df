import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleConformance, judgeServer } from '../support/mcp-conformance.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { type ServedApi, serve } from '../support/serve.ts'

let folder: string
let suite: string
let platform: TestPlatform
let api: ServedApi

/** The suite has no token to give: this puts one on each request and changes nothing else. */
const door = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${platform.owner.token}` }
  const onward = request(
    api.origin + (incoming.url ?? ''),
    { method: incoming.method, headers, setHost: false },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-'))
  ;[suite, platform] = await Promise.all([bundleConformance(folder), testPlatform()])
  api = await serve(platform)
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
})
afterAll(async () => {
  door.closeAllConnections()
  door.close()
  await api.close()
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Tools that the suite asks for and this server does not offer, so that it must refuse. Everything else has to pass.
 */
const notOffered = {
  'tools of the suite itself, which only its example server has': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ],
  'questions to the client, which need a session': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'event streams: each message is answered by itself': ['server-sse-polling', 'server-sse-multiple-streams'],
  'capabilities that it does not declare': [
    'logging-set-level',
    'completion-complete',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
} as const
const offered = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'dns-rebinding-protection',
]

test('the public conformance suite finds no fault in what the server offers', async () => {
  const baseline = join(folder, 'baseline.yaml')
  const expected = Object.values(notOffered)
    .flat()
    .map((name) => `  - ${name}\n`)
  await writeFile(baseline, `server:\n${expected.join('')}`)
  const { port }: AddressInfo = Object(door.address())
  const { code, output } = await judgeServer(suite, `http://127.0.0.1:${port}/v1/mcp`, baseline)
  expect(code, output).toBe(0)
  for (const name of offered) expect(output).toMatch(new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`))
  expect(output.match(/^[✓✗] .*: \d+ passed/gm)).toHaveLength(offered.length + expected.length)
})
