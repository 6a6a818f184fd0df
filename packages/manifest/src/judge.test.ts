import { describe, expect, test } from 'vitest'
import { judgeAgentFile } from './agent-files.ts'
import { judge } from './judge.ts'
import { fixture } from './testing/fixtures.ts'

const yaml = fixture('valid', 'minimal.yaml')
const own = '.svc/agentrt/agents/default.md'

describe('a folder is judged with its agent files', () => {
  test('a declared agent without its file is a warning', () => {
    const verdict = judge({ files: { 'svc.yaml': yaml, agents: {} } })
    expect(verdict).toEqual({
      valid: true,
      issues: [expect.objectContaining({ path: 'agents.default', severity: 'warning' })],
    })
  })

  test('without knowledge of the files nothing is said of them', () => {
    expect(judge({ files: { 'svc.yaml': yaml } })).toEqual({ valid: true, issues: [] })
  })

  test('an error in an agent file makes the folder invalid', () => {
    const verdict = judge({ files: { 'svc.yaml': yaml, agents: { [own]: '---\nmode: boss\n---\nHi\n' } } })
    expect(verdict.valid).toBe(false)
    expect(verdict.issues).toEqual([expect.objectContaining({ path: `${own}#mode`, line: 2, column: 7 })])
  })

  test('files elsewhere are not agent files', () => {
    const agents = { [own]: 'Hi', 'docs/agents/default.md': '---\nmode: boss\n---\n' }
    expect(judge({ files: { 'svc.yaml': yaml, agents } })).toEqual({ valid: true, issues: [] })
  })

  test('files of agents that the manifest does not declare are nobody’s', () => {
    const agents = { [own]: 'Hi', '.svc/agentrt/agents/other.md': '---\nmode: boss\n---\n' }
    expect(judge({ files: { 'svc.yaml': yaml, agents } })).toEqual({ valid: true, issues: [] })
  })

  test('both manifests present: svc.yaml wins', () => {
    const verdict = judge({ files: { 'svc.yaml': yaml, 'svc.toml': 'svc_version = [' } })
    expect(verdict).toEqual({
      valid: true,
      issues: [expect.objectContaining({ path: 'svc.toml', severity: 'warning' })],
    })
  })

  test('svc.toml alone is judged as version 1', () => {
    expect(judge({ files: { 'svc.toml': fixture('legacy', 'full.toml') } }).valid).toBe(true)
    expect(judge({ files: { 'svc.toml': 'svc_version = 2' } }).valid).toBe(false)
    expect(judge({ files: { 'svc.toml': 'a = ' } }).issues).toEqual([
      expect.objectContaining({ line: 1, message: expect.stringContaining('not valid TOML') }),
    ])
  })

  test('without any manifest there is one issue', () => {
    expect(judge({ files: {} })).toEqual({
      valid: false,
      issues: [expect.objectContaining({ severity: 'error' })],
    })
  })

  test('an empty svc.yaml is invalid', () => {
    expect(judge({ files: { 'svc.yaml': '' } }).valid).toBe(false)
  })
})

describe('frontmatter fields', () => {
  const paths = (yaml: string) => judgeAgentFile('a.md', `---\n${yaml}\n---\nbody`).map((issue) => issue.path)

  test.each([
    'description: text\nmodel: any\nmode: subagent\nvariant: x\ntemperature: 0.5\ntop_p: 1\nsteps: 1',
    "color: '#12aBff'\nhidden: true\ndisable: false\noptions: { any: [1] }\nother: allowed",
    'color: warning\npermission: deny',
    'permission:\n  webfetch: ask\n  bash:\n    "git *": allow\n    "*": deny\n  edit: allow',
    '',
    '# only a comment',
  ])('%j is valid', (yaml) => {
    expect(paths(yaml)).toEqual([])
  })

  test.each([
    ['description: 1', 'description'],
    ['model: []', 'model'],
    ['mode: main', 'mode'],
    ['temperature: warm', 'temperature'],
    ['steps: 0', 'steps'],
    ['color: blue', 'color'],
    ["color: '#12345'", 'color'],
    ['hidden: yes', 'hidden'],
    ['options: []', 'options'],
    ['permission: never', 'permission'],
    ['permission: { webfetch: { a: allow } }', 'permission.webfetch'],
    ['permission: { doom_loop: always }', 'permission.doom_loop'],
    ['permission: { bash: { "git *": maybe } }', 'permission.bash.git *'],
    ['permission: { bash: sometimes }', 'permission.bash'],
  ])('%j is an error', (yaml, path) => {
    expect(paths(yaml)).toEqual([`a.md#${path}`])
  })

  test('a file without frontmatter is only a prompt', () => {
    expect(judgeAgentFile('a.md', 'You are kind.\n---\n')).toEqual([])
  })

  test('syntax errors are on their own line of the file', () => {
    expect(judgeAgentFile('a.md', '---\nmode: primary\na: b: c\n---\n')).toEqual([
      expect.objectContaining({ path: 'a.md', line: 3 }),
    ])
    expect(judgeAgentFile('a.md', '---\nmode: primary\n')).toEqual([
      expect.objectContaining({ path: 'a.md' }),
    ])
    expect(judgeAgentFile('a.md', '---\n- a\n---\n')).toEqual([
      expect.objectContaining({ path: 'a.md', line: 2 }),
    ])
  })
})
