import { manifestRuntimes } from '@svc/facts'
import { describe, expect, test } from 'vitest'
import { readManifest } from './read-manifest.ts'
import { choice } from './suggest.ts'
import { fixture } from './testing/fixtures.ts'

const head = 'svc_version: 2\ndefault_agent: default\nagents: { default: {} }\n'
const read = (text: string) => readManifest({ path: 'svc.yaml', text })
const errorsOf = (text: string) =>
  read(text).issues.flatMap((one) => (one.severity === 'error' ? one.path : []))

describe('messages say what is wrong, what is allowed, and the nearest known name', () => {
  test.each([
    [
      `${head}runtime: agentr\n`,
      `runtime: must be ${choice(manifestRuntimes)}, not \`agentr\`; did you mean \`agentrt\`?`,
    ],
    [
      `${head}apps: { x: { type: static, ouput_dir: y } }\n`,
      'apps.x.ouput_dir: unknown key; did you mean `output_dir`?',
    ],
    [
      'svc_version: 2\ndefault_agent: a\nagents: { a: { svc_cli: [project.cr.mrge] } }\n',
      'agents.a.svc_cli[0]: `project.cr.mrge` is not known; did you mean `project.cr.merge`?',
    ],
    [
      'svc_version: 2\ndefault_agent: a\nagents: { a: { temperature: 1 } }\nagentrt: { config_dir: cfg }\n',
      "agents.a.temperature: `temperature` is the agent's behaviour: write it in the agent's own file, cfg/agents/a.md",
    ],
    [
      'svc_version: 2\ndefault_agent: revewer\nagents: { reviewer: {} }\n',
      'default_agent: no agent is named `revewer`; did you mean `reviewer`?',
    ],
    [`${head}triggers:\n`, 'triggers: is empty; it must be a list'],
    [`${head}project: { name: 5 }\n`, 'project.name: must be text, not `5`; put it in quotes'],
    [
      `${head}apps: { x: { type: dockerfile, command: [x], port: '80' } }\n`,
      'apps.x.port: must be a number, not text; remove the quotes',
    ],
    [`${head}trigger: []\n`, 'trigger: nothing reads this key; did you mean `triggers`?'],
    ['svc_version: 1\ndefault_agent: a\nagents: { a: {} }\n', 'svc_version: must be `2`, not `1`'],
    ['', ': the manifest is empty'],
    ['- a\n', ': a manifest is a mapping, not a list'],
  ])('%j', (text, expected) => {
    expect(read(text).issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([expected])
  })
})

describe('entries', () => {
  const trigger = (fields: string) => errorsOf(`${head}triggers: [{ slug: a, prompt: x, ${fields} }]\n`)

  test.each([true, false, 0, 1, -3, 2.5, 'TRUE', 'False', '1', '0', 'yes', 'NO', 'on', 'Off'])(
    'enabled also accepts %j',
    (value) => {
      expect(trigger(`type: cron, cron: 0 0 0 * * *, enabled: ${JSON.stringify(value)}`)).toEqual([])
    },
  )

  test.each([
    ['* * * * * *', []],
    ['*/10 0 8-18 * * MON-FRI', []],
    ['0 0 0 L * *', []],
    ['0 0 9 * * 1-5 2030', ['triggers[0].cron']],
    ['0 9 * * *', ['triggers[0].cron']],
    ['@daily', ['triggers[0].cron']],
    ['60 * * * * *', ['triggers[0].cron']],
    ['0 0 24 * * *', ['triggers[0].cron']],
    ['0 0 0 32 * *', ['triggers[0].cron']],
    ['0 0 0 * 13 *', ['triggers[0].cron']],
    ['0 0 0 * * 8', ['triggers[0].cron']],
    ['*/0 * * * * *', ['triggers[0].cron']],
    ['a b c d e f', ['triggers[0].cron']],
  ])('cron %j', (cron, expected) => {
    expect(trigger(`type: cron, cron: ${JSON.stringify(cron)}`)).toEqual(expected)
  })

  test.each([
    ['Europe/Berlin', []],
    ['America/Argentina/Buenos_Aires', []],
    ['UTC', []],
    ['Etc/GMT+5', []],
    ['+02:00', ['triggers[0].timezone']],
    ['Europe/Nowhere', ['triggers[0].timezone']],
    ['../etc/localtime', ['triggers[0].timezone']],
  ])('timezone %j', (timezone, expected) => {
    expect(trigger(`type: cron, cron: 0 0 0 * * *, timezone: ${JSON.stringify(timezone)}`)).toEqual(expected)
  })

  test.each([
    ['2030-01-31T09:00:00Z', []],
    ['2030-01-31T09:00', []],
    ['2030-01-31T09:00:00.250+02:00', []],
    ['2028-02-29T00:00:00Z', []],
    ['2030-02-29T00:00:00Z', ['triggers[0].run_at']],
    ['2030-13-01T00:00:00Z', ['triggers[0].run_at']],
    ['2030-01-01T24:30:00Z', ['triggers[0].run_at']],
    ['2030-01-31', ['triggers[0].run_at']],
    ['tomorrow', ['triggers[0].run_at']],
  ])('run_at %j', (run_at, expected) => {
    expect(trigger(`type: cron, run_at: ${JSON.stringify(run_at)}`)).toEqual(expected)
  })

  test.each([
    ['30s', []],
    ['1m', []],
    ['2h', []],
    ['7d', []],
    ['29s', ['triggers[0].interval']],
    ['030s', ['triggers[0].interval']],
    ['0m', ['triggers[0].interval']],
    ['1.5h', ['triggers[0].interval']],
    ['5 m', ['triggers[0].interval']],
  ])('interval %j', (interval, expected) => {
    expect(trigger(`type: monitor, run: x, mode: poll, interval: ${JSON.stringify(interval)}`)).toEqual(
      expected,
    )
  })

  test.each([
    [1, []],
    [1024, []],
    [1025, ['triggers[0].run']],
  ])('run of %i characters', (count, expected) => {
    expect(trigger(`type: monitor, mode: stream, run: ${'😀'.repeat(count)}`)).toEqual(expected)
  })

  test.each([
    ['a', []],
    [`a${'b'.repeat(127)}`, []],
    [`a${'b'.repeat(128)}`, ['triggers[0].slug']],
    ['0-a_b', []],
    ['_a', ['triggers[0].slug']],
    ['-a', ['triggers[0].slug']],
    ['A', ['triggers[0].slug']],
    ['a b', ['triggers[0].slug']],
    ['', ['triggers[0].slug']],
  ])('slug %j', (slug, expected) => {
    const text = `${head}triggers: [{ slug: ${JSON.stringify(slug)}, type: cron, prompt: x, cron: 0 0 0 * * * }]\n`
    expect(errorsOf(text)).toEqual(expected)
  })

  test.each([
    ['provider/model', []],
    ['router/vendor/model:1', []],
    ['model', ['triggers[0].model']],
    ['/model', ['triggers[0].model']],
    ['provider/', ['triggers[0].model']],
    ['a b/c', ['triggers[0].model']],
  ])('model %j', (model, expected) => {
    expect(trigger(`type: cron, cron: 0 0 0 * * *, model: ${JSON.stringify(model)}`)).toEqual(expected)
  })

  test.each([
    ['.svc/agentrt', []],
    ['a/..b/c', []],
    ['/abs', ['agentrt.config_dir']],
    ['a/../b', ['agentrt.config_dir']],
    ['..', ['agentrt.config_dir']],
    ['', ['agentrt.config_dir']],
  ])('config_dir %j', (dir, expected) => {
    expect(errorsOf(`${head}agentrt: { config_dir: ${JSON.stringify(dir)} }\n`)).toEqual(expected)
  })

  test.each([
    [32, []],
    [33, ['connectors[0].headers']],
  ])('%i headers', (count, expected) => {
    const headers = Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'v']))
    const connector = { slug: 'a', provider: 'openapi', headers }
    expect(errorsOf(`${head}connectors: [${JSON.stringify(connector)}]\n`)).toEqual(expected)
  })

  test.each([
    ['n'.repeat(128), 'v'.repeat(2048), []],
    ['n'.repeat(129), 'v', [`connectors[0].headers.${'n'.repeat(129)}`]],
    ['n', 'v'.repeat(2049), ['connectors[0].headers.n']],
    ['n', 'a\rb', ['connectors[0].headers.n']],
  ])('header %.5s: %.5j', (name, value, expected) => {
    const connector = { slug: 'a', provider: 'openapi', headers: { [name]: value } }
    expect(errorsOf(`${head}connectors: [${JSON.stringify(connector)}]\n`)).toEqual(expected)
  })

  test.each([1, 7330, 7332, 8079, 8081, 65535])('port %i is free', (port) => {
    expect(errorsOf(`${head}apps: { x: { type: dockerfile, command: [x], port: ${port} } }\n`)).toEqual([])
  })

  test.each([0, 7331, 8080, 65536, 80.5])('port %d is refused', (port) => {
    const text = `${head}apps: { x: { type: dockerfile, command: [x], port: ${port} } }\n`
    expect(errorsOf(text)).toEqual(['apps.x.port'])
  })
})

describe('one bad entry does not cost the others', () => {
  const reading = read(`${head}env: { optional: [OK, SVC_NO] }
connectors:
  - { slug: good, provider: openapi }
  - { slug: bad, provider: mcp }
apps: { good: { type: static }, bad: {} }
triggers:
  - { slug: good, type: cron, prompt: x, cron: 0 0 0 * * * }
  - { slug: bad, type: cron, prompt: x }
  - { slug: good, type: cron, prompt: y, cron: 0 0 0 * * * }
  - 5
`)

  test('the valid ones are read', () => {
    expect(reading.manifest).toMatchObject({
      env: { required: [], optional: ['OK'] },
      connectors: [{ slug: 'good' }],
      apps: [{ name: 'good' }],
      triggers: [{ slug: 'good', prompt: 'x' }],
    })
    expect(reading.triggers).toBe(reading.manifest?.triggers)
  })

  test('the invalid triggers are listed beside them, in order', () => {
    expect(reading.trigger_errors.map(({ slug, path }) => ({ slug, path }))).toEqual([
      { slug: 'bad', path: 'triggers[1].cron' },
      { slug: 'good', path: 'triggers[2].slug' },
      { slug: null, path: 'triggers[3]' },
    ])
  })

  test('a trigger that relies on an unusable default agent says so', () => {
    const { triggers, trigger_errors } = read(
      'svc_version: 2\ndefault_agent: off\nagents: { off: { enabled: false }, on: {} }\n' +
        'triggers:\n  - { slug: a, type: cron, prompt: x, cron: 0 0 0 * * * }\n' +
        '  - { slug: b, type: cron, prompt: x, cron: 0 0 0 * * *, agent: on }\n',
    )
    expect(triggers.map((trigger) => trigger.slug)).toEqual(['b'])
    expect(trigger_errors).toEqual([expect.objectContaining({ slug: 'a', path: 'triggers[0].agent' })])
  })

  test('of too many monitors the first ten work', () => {
    const { triggers, trigger_errors } = read(fixture('invalid', 'monitors.yaml'))
    expect(triggers.map((trigger) => trigger.slug)).toEqual([
      'm1',
      'm2',
      'm3',
      'm4',
      'm5',
      'm6',
      'm7',
      'm8',
      'm9',
      'm10',
      'm12',
    ])
    expect(trigger_errors).toEqual([expect.objectContaining({ slug: null, path: 'triggers' })])
  })

  test('an unreadable file has no manifest, and its listing says why', () => {
    const { manifest, triggers, trigger_errors } = read('a: [\n')
    expect({ manifest, triggers }).toEqual({ manifest: null, triggers: [] })
    expect(trigger_errors[0]).toMatchObject({ slug: null, error: expect.stringContaining('not valid YAML') })
  })
})

test('a byte order mark and Windows line ends are accepted', () => {
  const text = `\ufeff${head.replaceAll('\n', '\r\n')}`
  expect(read(text)).toMatchObject({ issues: [], manifest: { default_agent: 'default' } })
})

test('issues are cut at a limit that keeps the verdict', () => {
  const apps = Array.from({ length: 700 }, (_, index) => `  a${index}: {}`).join('\n')
  const { issues } = read(`${head}apps:\n${apps}\n`)
  expect(issues).toHaveLength(501)
  expect(issues[0]?.message).toBe('200 more issues not listed')
})
