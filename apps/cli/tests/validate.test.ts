import { spawnSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { agentFileJsonSchema, manifestJsonSchema, readManifest, starterFiles } from '@svc/manifest'
import { describe, expect, it } from 'vitest'
import { buildCli } from './support/built-cli.ts'

const cli = await buildCli()

const head = 'svc_version: 2\ndefault_agent: builder\nagents: { builder: {} }\n'
const nightly = `${head}triggers:
  - slug: nightly
    type: cron
    cron: 30 2 * * *
    agent: bilder
    prompt: Update the dependencies.
`

/** A folder of its own with these files. */
async function folder(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(cli.work, name)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

describe('svc validate', () => {
  it('accepts a new project, as a folder and as a file', async () => {
    const cwd = await folder('starter', starterFiles({ name: 'Shop' }))
    const expected = { code: 0, stdout: 'svc.yaml is valid.\n', stderr: '' }
    expect(await cli.run(['validate'], { cwd })).toEqual(expected)
    expect(await cli.run(['validate', 'svc.yaml'], { cwd })).toEqual(expected)
    expect(await cli.run(['validate', 'starter'])).toEqual({
      ...expected,
      stdout: 'starter/svc.yaml is valid.\n',
    })
    const json = await cli.run(['validate', 'starter', '--json'])
    expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { valid: true, issues: [], notes: [] }])
  })

  it('shows every issue with the source line and a caret', async () => {
    const cwd = await folder('nightly', { 'svc.yaml': nightly })
    expect(await cli.run(['validate', 'svc.yaml'], { cwd })).toEqual({
      code: 1,
      stderr: '',
      stdout: `svc.yaml:7:11 error triggers[0].cron: must have six fields (second minute hour day month weekday), not 5 fields; for second 0 write \`0 30 2 * * *\`
  7 |     cron: 30 2 * * *
    |           ^
svc.yaml:8:12 error triggers[0].agent: no agent is named \`bilder\`; did you mean \`builder\`?
  8 |     agent: bilder
    |            ^
svc.yaml is not valid (2 errors).
`,
    })
  })

  it('is what docs/manifest.md shows', async () => {
    const page = await readFile(new URL('../../../docs/manifest.md', import.meta.url), 'utf8')
    const example = /```yaml invalid\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(page)
    const cwd = await folder('documented', { 'svc.yaml': `${head}${example?.[1] ?? ''}` })
    const { stdout } = await cli.run(['validate', 'svc.yaml'], { cwd })
    expect(stdout).toBe(example?.[2])
  })

  it('judges the files of declared agents, and points into them', async () => {
    await folder('agents', {
      'svc.yaml': head,
      '.svc/agentrt/agents/builder.md': '---\nmode: boss\n---\nHi\n',
      '.svc/agentrt/agents/other.md': '---\nmode: boss\n---\nHi\n',
    })
    const { code, stdout } = await cli.run(['validate', 'agents'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      'agents/.svc/agentrt/agents/builder.md:2:7 error .svc/agentrt/agents/builder.md#mode: ',
    )
    expect(stdout).toContain('  2 | mode: boss\n    |       ^\n')
    expect(stdout).toContain('agents/svc.yaml is not valid (1 error).')
    expect(stdout).not.toContain('other.md')
  })

  it('a warning is told and changes nothing', async () => {
    await folder('warned', { 'svc.yaml': head })
    const { code, stdout } = await cli.run(['validate', 'warned'])
    expect(code).toBe(0)
    expect(stdout).toContain('warning agents.builder: the agent has no file of its own')
    expect(stdout).toContain('warned/svc.yaml is valid (1 warning).')
  })

  it('says after the verdict what nothing runs yet, and changes nothing by it', async () => {
    await folder('ahead', { 'svc.yaml': `${head}checks: { any: thing }\n` })
    const said = 'nothing reads `checks` yet'
    expect(await cli.run(['validate', 'ahead/svc.yaml'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `ahead/svc.yaml is valid.\nnote: checks: ${said}\n`,
    })
    const { code, stdout } = await cli.run(['validate', 'ahead/svc.yaml', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { valid: true, issues: [], notes: [{ path: 'checks', message: said }] },
    ])
  })

  it('--json prints every issue with its place', async () => {
    const { code, stdout } = await cli.run(['validate', 'nightly/svc.yaml', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        valid: false,
        issues: [
          { path: 'triggers[0].cron', message: expect.any(String), severity: 'error', line: 7, column: 11 },
          { path: 'triggers[0].agent', message: expect.any(String), severity: 'error', line: 8, column: 12 },
        ],
        notes: [],
      },
    ])
  })

  it('without a manifest is one issue and exit code 1', async () => {
    await mkdir(join(cli.work, 'empty'))
    const { code, stdout } = await cli.run(['validate', 'empty', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        valid: false,
        issues: [{ path: 'svc.yaml', message: expect.any(String), severity: 'error' }],
        notes: [],
      },
    ])
    expect((await cli.run(['validate', 'empty'])).stdout).toContain('error svc.yaml: there is no manifest')
  })

  it('reads svc.toml as version 1, and prefers svc.yaml', async () => {
    await folder('legacy', {
      'svc.toml': '[[triggers]]\nslug = "a"\ntype = "cron"\nprompt = "x"\ncron = "bad"\n',
    })
    const legacy = await cli.run(['validate', 'legacy'])
    expect(legacy.code).toBe(1)
    expect(legacy.stdout).toContain('legacy/svc.toml:5:1 error triggers[0].cron')
    expect(await cli.run(['validate', 'legacy/svc.toml'])).toMatchObject({ code: 1 })
    await folder('legacy', starterFiles({ name: 'Shop' }))
    expect(await cli.run(['validate', 'legacy'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('both svc.yaml and svc.toml are present'),
    })
  })

  it('a syntax error has its line, and control characters are not printed', async () => {
    await folder('broken', { 'svc.yaml': `${head}project: "\u001b[31m\n` })
    const { code, stdout } = await cli.run(['validate', 'broken'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/broken\/svc\.yaml:\d+:\d+ error not valid YAML/)
    expect(stdout).not.toContain('\u001b')
  })

  it('a file over the limit is refused without reading it', async () => {
    await folder('huge', { 'svc.yaml': 'a'.repeat(3 * 1024 * 1024) })
    expect(await cli.run(['validate', 'huge'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('larger than 1 MiB'),
    })
  })

  it.each([
    [['validate', 'nowhere'], 'there is no nowhere'],
    [['validate', 'a', 'b'], 'too many arguments'],
    [['validate', '--strict'], 'unknown option'],
    [['schema', '--agnet'], 'Did you mean --agent?'],
    [['manifest'], 'Usage: svc manifest'],
    [['manifest', 'migrate', 'nowhere'], 'there is no nowhere'],
  ])('%j is misuse: exit code 2', async (args, words) => {
    const { code, stdout, stderr } = await cli.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  })

  it('needs no server, token or config', async () => {
    const env = { SVC_API_URL: 'http://127.0.0.1:1/v1', SVC_CONFIG_FILE: '/nowhere/config.json' }
    expect(await cli.run(['validate', 'starter'], { env })).toMatchObject({ code: 0, stderr: '' })
  })
})

const hasScript = spawnSync('script', ['--version']).status === 0

describe.skipIf(!hasScript && !process.env['CI'])('on a terminal', () => {
  const onTerminal = (env: Record<string, string>) =>
    spawnSync('script', ['-qec', `${process.execPath} ${cli.launcher} validate nightly`, '/dev/null'], {
      cwd: cli.work,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: cli.work, TERM: 'xterm', ...env },
    }).stdout

  it('errors are coloured, unless NO_COLOR is set', () => {
    expect(onTerminal({})).toContain('\u001b[31merror\u001b')
    const plain = onTerminal({ NO_COLOR: '1' })
    expect(plain).toContain('error triggers[0].cron')
    expect(plain).not.toContain('\u001b')
  })
})

describe('svc schema', () => {
  it('prints the schema of the manifest, or of agents’ files', async () => {
    expect(JSON.parse((await cli.run(['schema'])).stdout)).toEqual(manifestJsonSchema())
    expect(JSON.parse((await cli.run(['schema', '--agent'])).stdout)).toEqual(agentFileJsonSchema())
  })
})

describe('svc manifest migrate', () => {
  const toml =
    '[agents.builder]\nskills = "none"\n[[triggers]]\nslug = "a"\ntype = "cron"\nprompt_template = "x"\nschedule = "0 0 0 * * *"\nagent_name = "builder"\n'

  it('prints the svc.yaml that means the same', async () => {
    await folder('old', { 'svc.toml': toml })
    const { code, stdout, stderr } = await cli.run(['manifest', 'migrate', 'old'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const before = readManifest({ path: 'svc.toml', text: toml })
    const after = readManifest({ path: 'svc.yaml', text: stdout })
    expect(after.issues).toEqual([])
    expect(after.triggers).toEqual(before.triggers)
    expect(await cli.run(['manifest', 'migrate', 'old/svc.toml'])).toMatchObject({ stdout })
  })

  it('--write writes it once, and never over another', async () => {
    const root = await folder('written', { 'svc.toml': toml })
    expect(await cli.run(['manifest', 'migrate', '--write'], { cwd: root })).toMatchObject({
      code: 0,
      stdout: '',
    })
    const text = await readFile(join(root, 'svc.yaml'), 'utf8')
    expect(readManifest({ path: 'svc.yaml', text }).issues).toEqual([])
    expect(await cli.run(['manifest', 'migrate', '--write'], { cwd: root })).toMatchObject({ code: 1 })
    expect(await readFile(join(root, 'svc.yaml'), 'utf8')).toBe(text)
    await rm(root, { recursive: true })
  })

  it('tells what is left to decide, and fails when it is an error', async () => {
    await folder('undecided', { 'svc.toml': '[[triggers]]\nslug = "a"\n', 'broken/svc.toml': 'a = \n' })
    const undecided = await cli.run(['manifest', 'migrate', 'undecided'])
    expect(undecided).toMatchObject({ code: 1, stdout: expect.stringContaining('svc_version: 2') })
    expect(undecided.stderr).toMatch(/svc\.yaml:\d+:\d+ error triggers\[0\]\.type/)
    expect(await cli.run(['manifest', 'migrate', 'undecided/broken'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('svc.toml:1:'),
    })
    expect(await cli.run(['manifest', 'migrate', 'starter'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no svc.toml in starter'),
    })
  })
})
