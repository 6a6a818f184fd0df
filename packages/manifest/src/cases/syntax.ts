import { accept, head, rejectBeyondSchema, top } from './case.ts'
import type { Case } from './case.ts'

const rejectText = rejectBeyondSchema

export const syntaxCases: readonly Case[] = [
  rejectText('an empty file', '', ''),
  rejectText('a file of comments', '# nothing\n', ''),
  rejectText('a list', '- a\n', ''),
  rejectText('a word', 'hello\n', ''),
  rejectText('a tab as indentation', `${head}project:\n\tname: x\n`, ''),
  rejectText('an unclosed bracket', `${head}env: { required: [A }\n`, ''),
  rejectText('an unclosed quote', top("runtime: 'pi"), ''),
  rejectText('a second colon on a line', `${head}project: name: x\n`, ''),
  rejectText('a duplicate key', `${head}runtime: pi\nruntime: pi\n`, 'runtime'),
  rejectText(
    'a duplicate agent',
    'svc_version: 2\ndefault_agent: a\nagents:\n  a: {}\n  a: {}\n',
    'agents.a',
  ),
  rejectText(
    'a duplicate key of a trigger',
    top('triggers:\n  - { slug: t, slug: u, type: cron, prompt: x, cron: 0 0 0 * * * }'),
    'triggers[0].slug',
  ),
  rejectText('an alias without an anchor', top('project: *ghost'), 'project'),
  rejectText('an anchor that repeats itself', top('x-a: &a [*a]'), 'x-a[0]'),
  rejectText('a custom tag', top('project: { name: !secret x }'), 'project.name'),
  rejectText('a tag of JavaScript', top('project: { name: !!js/function x }'), 'project.name'),
  rejectText('several documents', `${head}---\n${head}`, ''),
  rejectText('the key `__proto__`', top('__proto__: { x: 1 }'), '__proto__'),
  rejectText('the key `constructor`', top('project: { constructor: x }'), 'project.constructor'),
  rejectText('the key `prototype`', top('apps: { prototype: { type: static } }'), 'apps.prototype'),
  rejectText('a key that is a list', top('? [a]\n: b'), ''),
  rejectText('a NUL in text', top('project: { name: "a\\0b" }'), 'project.name'),
  rejectText('nesting deeper than 64 levels', top(`x-deep: ${'['.repeat(70)}${']'.repeat(70)}`), ''),
  rejectText(
    'a billion laughs',
    `l0: &l0 [x]\n${Array.from({ length: 9 }, (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index}, `.repeat(9)}*l${index}]`).join('\n')}\n`,
    'svc_version',
    'default_agent',
    'agents',
    'l4[8]',
  ),
  rejectText('a file of more than 1 MiB', top(`x-long: ${'x'.repeat(1024 * 1024)}`), ''),
  accept(
    'an anchor and its alias',
    top(
      'x-zone: &zone UTC\ntriggers: [{ slug: t, type: cron, prompt: x, cron: 0 0 0 * * *, timezone: *zone }]',
    ),
  ),
  accept('a byte order mark', `\ufeff${head}`),
  accept('Windows line ends', head.replaceAll('\n', '\r\n')),
  accept('JSON, which is YAML', '{ "svc_version": 2, "default_agent": "a", "agents": { "a": {} } }'),
  accept('a merge key is not read', top('project: { <<: { name: x } }'), 'warning project.<<'),
]
