import { accept, reject } from './case.ts'
import type { Case } from './case.ts'

const file = (frontmatter: string) => `---\n${frontmatter}\n---\nYou are kind.\n`
const tools = ['todowrite', 'question', 'webfetch', 'websearch', 'doom_loop']
const words = ['ask', 'allow', 'deny']

/** Paths are those behind `#`; the file itself is the empty path. */
export const agentFileCases: readonly Case[] = [
  accept(
    'every field',
    file(
      "description: x\nmodel: a/b\nmode: primary\nvariant: v\ntemperature: 0.5\ntop_p: 1\nsteps: 1\ncolor: '#12aBff'\nhidden: true\ndisable: false\noptions: { a: [1] }\npermission: ask",
    ),
  ),
  accept('extra keys are allowed', file('other: { any: 1 }')),
  accept('no frontmatter', 'You are kind.\n'),
  accept('empty frontmatter', '---\n---\nYou are kind.\n'),
  reject('`description` is a string', file('description: 1'), 'description'),
  reject('`model` is a string', file('model: [x]'), 'model'),
  ...['primary', 'subagent', 'all'].map((mode) =>
    accept(`\`mode\` may be \`${mode}\``, file(`mode: ${mode}`)),
  ),
  reject('`mode` may be nothing else', file('mode: main'), 'mode'),
  reject('`variant` is a string', file('variant: 1'), 'variant'),
  reject('`temperature` is a number', file('temperature: warm'), 'temperature'),
  reject('`top_p` is a number', file("top_p: '1'"), 'top_p'),
  reject('`steps` is at least 1', file('steps: 0'), 'steps'),
  reject('`steps` is an integer', file('steps: 1.5'), 'steps'),
  ...['primary', 'secondary', 'accent', 'success', 'warning', 'error', 'info'].map((color) =>
    accept(`\`color\` may be \`${color}\``, file(`color: ${color}`)),
  ),
  reject('`color` may be no other word', file('color: blue'), 'color'),
  reject('`color` has six hex digits', file("color: '#fff'"), 'color'),
  reject('`color` needs its `#` in quotes', file('color: #12abff'), 'color'),
  reject('`hidden` is a boolean', file('hidden: yes'), 'hidden'),
  reject('`disable` is a boolean', file('disable: 1'), 'disable'),
  reject('`options` is an object', file('options: []'), 'options'),
  ...words.map((word) => accept(`\`permission\` may be \`${word}\``, file(`permission: ${word}`))),
  reject('`permission` may be no other word', file('permission: never'), 'permission'),
  ...tools.flatMap((tool) => [
    accept(`\`permission.${tool}\` takes a word`, file(`permission: { ${tool}: deny }`)),
    reject(
      `\`permission.${tool}\` takes no other word`,
      file(`permission: { ${tool}: never }`),
      `permission.${tool}`,
    ),
    reject(
      `\`permission.${tool}\` takes no object`,
      file(`permission: { ${tool}: { x: ask } }`),
      `permission.${tool}`,
    ),
  ]),
  accept('another tool takes a word', file('permission: { bash: allow }')),
  accept('another tool takes an object of them', file("permission: { bash: { 'git *': allow, '*': deny } }")),
  reject('another tool takes no other word', file('permission: { bash: sometimes }'), 'permission.bash'),
  reject(
    'an object of them holds no other word',
    file("permission: { bash: { 'git *': sometimes } }"),
    'permission.bash.git *',
  ),
  reject('frontmatter that is never closed', '---\nmode: primary\n', ''),
  reject('frontmatter that is no mapping', '---\n- a\n---\n', ''),
  reject('frontmatter with a syntax error', file('mode: primary: x'), ''),
  reject('a duplicate key', file('mode: all\nmode: all'), 'mode'),
]
